# session.sh AGENT FILE PROGRAM [NAME...]: session main, its pane running the script
# AGENT, which becomes the command that comes on standard input.
#
# The command goes through a file: a tmux client takes 16 KiB of arguments at most,
# and eats a ; at the end of one. No -c either, it would expand #(...): the pane
# starts where this shell is.
agent=$1 file=$2
shift 2
(umask 077 && cat >"$file")
pane=$(tmux -u new-session -d -P -F '#{pane_id}' -s main -x 200 -y 50 \
	sh -c "$agent" agent "$file" "$@")
tmux -u set-environment -t =main GC_AGENT_PANE "$pane"
