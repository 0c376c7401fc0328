# Becomes the agent, which is to be the pane's root process: a fence is bound to that
# one, and respawn-pane replaces that one. dash, as sh -c, never execs by itself.
# Arguments: PROGRAM COMMAND FILE. PROGRAM is the command's first word if exec may stand
# in front of it; a builtin cannot be exec'd.
command=$2
if [ -n "$3" ]; then
	command=$(cat "$3")
	rm -f "$3"
fi
case $(command -v "$1") in
*/*) exec sh -c "exec $command" ;;
*) exec sh -c "$command" ;;
esac
