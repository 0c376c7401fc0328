# shellcheck disable=SC2034,SC2154 # find.sh stands in front
# Says which process is the agent's and what fence it has, and what it shows.
# Arguments: FENCE-OPTION
fence=$1 token=''
find_pane
if [ -n "$fence" ]; then
	# In one list: the fence is that of this process.
	seen=$(tmux -u display-message -p -t "=main:.$pane" '#{?pane_pid,#{pane_pid},0}' \; \
		show-options -pqv -t "=main:.$pane" "$fence") || exit
	# shellcheck disable=SC2086 # a word a line
	set -- $seen
	pid=$1 token=$2
	[ -n "$pid" ] || exit 70
fi
echo "$pane $pid fence $token"
see
