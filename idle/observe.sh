# Looks at the agent pane twice, with a pause between: a look, the line MARK, a look. A
# box whose sleep takes no fractions gives one look: the caller waits, and asks again.
# Arguments: FENCE-OPTION MARK LOOKS
fence=$1 mark=$2 looks=$3
find_pane
see 120
[ "$looks" = 2 ] && sleep 0.2 2>/dev/null || exit 0
printf '\n%s\n' "$mark"
see 120
