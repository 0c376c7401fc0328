# Presses one key at a dialog, by a guarded list, and says sent, refused or contended.
# Arguments: TICKET HOLD PATIENCE FENCE-OPTION TOKEN LIST
# shellcheck disable=SC2034,SC2154 # find.sh and turn.sh stand in front
ticket=$1 hold=$2 patience=$3 fence=$4 token=$5 list=$6
journal='' last=''

find_pane
echo "at $pane $pid"
trap give EXIT
if ! take; then
	echo contended
	exit 0
fi
act "$list" || exit
