# Looks at the agent pane twice, with a pause between, and prints what the session
# keeps of its ready prompt: the line `prompt`, a look, the line MARK, a look. A box
# whose sleep takes no fractions gives one look: the caller waits, and asks again.
# Arguments: FENCE-OPTION MARK LOOKS
fence=$1 mark=$2 looks=$3
find_pane
echo "prompt $(tmux -u show-environment -t =main GC_READY_PROMPT_PREFIX 2>/dev/null)"
[ "$looks" != 0 ] || exit 0
see 120
[ "$looks" = 2 ] && sleep 0.2 2>/dev/null || exit 0
printf '\n%s\n' "$mark"
see 120
