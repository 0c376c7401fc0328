# Launches the agent: in a new session main by the list FIRST, or in the pane that is
# there by the list AGAIN; each publishes the fence too.
# Arguments: FENCE-OPTION TOKEN PROMPT FIRST AGAIN AGENT PROGRAM COMMAND FILE
# COMMAND goes through a file of that name if FILE is not empty: a tmux client takes 16
# KiB of arguments at most.
# shellcheck disable=SC2034,SC2154 # start.sh and find.sh stand in front
fence=$1 token=$2 prompt=$3 first=$4 again=$5 agent=$6 program=$7 command=$8 file=$9
journal='' last='' pid=0 version=''

# launch runs a list in which the agent's words stand for themselves; they hold newlines.
launch() {
	list=$1
	put !PANE! "$pane"
	IFS=$newline
	# shellcheck disable=SC2086 # a word a line
	set -- $list
	unset IFS
	for word; do
		shift
		case $word in
		@AGENT@) word=$agent ;;
		@PROGRAM@) word=$program ;;
		@COMMAND@) word=$command ;;
		@FILE@) word=$file ;;
		esac
		set -- "$@" "$word"
	done
	tmux -u "$@"
}

pane='' kept=''
if tmux -u has-session -t =main: 2>/dev/null; then
	find_pane
	kept=$(tmux -u show-options -pqv -t "=main:.$pane" remain-on-exit)
	if [ -n "$token" ] && [ "$(tmux -u show-options -pqv -t "=main:.$pane" "$fence")" = "$token" ]; then
		echo used
		exit 0
	fi
fi
if [ -n "$file" ]; then
	dir=${TMPDIR:-/tmp}
	find "$dir" -maxdepth 1 -type f -name 'gc-launch.*' -mmin +60 -exec rm -f {} + 2>/dev/null
	file=$dir/gc-launch.$file
	(umask 077 && set -C && printf %s "$command" >"$file") || exit
	command=''
fi
if [ -z "$pane" ]; then said=$(launch "$first"); else said=$(launch "$again"); fi
status=$?
echo "$said"
if [ "$status" -ne 0 ]; then
	[ -z "$file" ] || rm -f "$file"
	exit "$status"
fi
pane=${said#*launched } pane=${pane%% *}
tmux -u set-environment -t =main GC_AGENT_PANE "$pane"
store

# A command that cannot run ends within a few milliseconds. Until then the lists keep
# its pane; afterwards a pane goes as the box's own setting says.
nap 0.2
tell
if [ -n "$kept" ]; then
	tmux -u if-shell -F -t "=main:.$pane" '#{?pane_dead,0,1}' "set-option -p -t =main:.$pane remain-on-exit $kept"
else
	tmux -u if-shell -F -t "=main:.$pane" '#{?pane_dead,0,1}' "set-option -pu -t =main:.$pane remain-on-exit"
fi
exit 0
