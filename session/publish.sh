# Publishes, right after a start by the runtime, the fence by a list, and the ready
# prompt. Arguments: FENCE-OPTION PROMPT LIST
# shellcheck disable=SC2034 # start.sh and find.sh stand in front
fence=$1 prompt=$2 list=$3 journal='' last=''
find_pane
[ -z "$list" ] || act "$list" || exit
store
tell
