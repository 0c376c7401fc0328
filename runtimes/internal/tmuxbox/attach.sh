# attach.sh FILE: a client of session main on this terminal, its process id in FILE.
echo "$$" >"$1"
exec tmux -u attach-session -t =main:
