# Prints what the agent pane shows, and `end`.
# Arguments: FENCE-OPTION LINES-OF-HISTORY STYLED
fence=$1 lines=$2 styled=$3
find_pane
set -- capture-pane -p -t "=main:.$pane" -S "-$lines"
case $version in
# Without -N the blanks at the end of a line are lost; 3.0 has no -N.
3.0* | next-3.0*) ;;
*) set -- "$@" -N ;;
esac
[ -z "$styled" ] || set -- "$@" -e
tmux -u has-session -t "=main:.$pane" \; "$@" \; display-message -p end
