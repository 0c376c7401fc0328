# Runs one script and frames what it says: "NONCE begin", its standard output,
# then "NONCE status CODE", its standard error, "NONCE end" (BOX-1).
# Arguments: NONCE SCRIPT ARGS...
# The runtime's own shell may run with -e or -u, even exported (bash's SHELLOPTS).
set +eu
nonce=$1
script=$2
shift 2
# A TMUX of the runtime's own would send a plain tmux to another server.
unset TMUX TMUX_PANE
printf '\n%s begin\n' "$nonce"
# Errors are kept apart, so that a screen's text is never read as tmux's words.
# The script's input is empty: the runtime may be reading this from it.
{
	errors=$(sh -c "$script" tmux-carrier "$@" 2>&1 >&3 3>&- </dev/null)
	status=$?
} 3>&1
printf '\n%s status %s\n%s\n%s end\n' "$nonce" "$status" "$errors" "$nonce"
