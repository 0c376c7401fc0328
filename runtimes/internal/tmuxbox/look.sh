# shellcheck disable=SC2034,SC2154 # find.sh stands in front
# Says which process is the agent's, and what it shows.
fence=''
find_pane
echo "$pane $pid"
see
