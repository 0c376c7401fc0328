# Looks at the agent pane. Arguments: FENCE-OPTION
# shellcheck disable=SC2034,SC2154 # find.sh stands in front
fence=$1
find_pane
see
