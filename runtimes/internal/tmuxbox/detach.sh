# detach.sh FILE: ends the client that is noted in FILE, if it is one still.
read -r pid <"$1" || exit 0
rm -f -- "$1"
tmux -u list-clients -t =main: -F '#{client_pid} #{client_tty}' | while read -r each tty; do
	[ "$each" != "$pid" ] || tmux detach-client -t "$tty"
done
