# Presses keys in the agent pane, and says each time: sent, refused, contended; then
# what is on the screen. Which list, how often and with what pause depends on the
# agent, which tmux itself tells by a format.
# Arguments: TICKET HOLD PATIENCE FENCE-OPTION TOKEN FORMAT {AGENT TIMES PAUSE LIST}...
# The last four stand for any other agent.
ticket=$1 hold=$2 patience=$3 fence=$4 token=$5 format=$6
shift 6
journal='' last=''

find_pane
echo "pane $pane $pid $brackets"
if [ -n "$token" ] && [ -n "$(tmux -u show-options -sqv "$fence")" ]; then
	echo hidden
	exit 0
fi
trap give EXIT
if ! take; then
	# Without the turn the list can only refuse, and say what is wrong with the fence.
	if stale; then shift $(($# - 4)); act "$4"; else echo contended; fi
	exit 0
fi
agent=''
[ -z "$format" ] || agent=$(tmux -u display-message -p -t "=main:.$pane" "$format") || exit
while [ $# -gt 4 ] && [ "$1" != "$agent" ]; do
	shift 4
done
echo "agent $1"
times=$2 pause=$3 keys=$4
while [ "$times" -gt 0 ]; do
	answered=$(act "$keys")
	status=$?
	if said_line sent "$answered"; then
		echo sent
	elif said_line refused "$answered"; then
		echo "$said"
		exit 0
	else
		[ "$status" -ne 0 ] || status=70
		exit "$status"
	fi
	times=$((times - 1))
	[ "$times" -eq 0 ] || nap "$pause"
done
see
