# What follows a start in the box: the ready prompt is stored, the pane looked at.
# In: pane; prompt, as a tmux argument, empty where none is to be stored.
# shellcheck disable=SC2154 # find.sh stands in front

# store keeps the ready prompt in the session's environment, and says if it could (PRM-1).
store() {
	[ -n "$prompt" ] || return 0
	if words=$(tmux -u set-environment -t =main -- GC_READY_PROMPT_PREFIX "$prompt" 2>&1); then
		echo stored
	else
		echo "unstored ${words%%"$newline"*}"
	fi
}

# tell says which pane it is, and what a dead one left. tmux 3.3a misses the end of a
# child now and then (22 of 210 that failed at once): the pane is dead and has no status, its
# process stays a zombie, until the next child of the server's ends. tmux also scrolls a
# dying pane up by one line, so that a single line of last words stands in the history.
tell() {
	ask
	case $told in
	*' 1 ')
		tmux -u run-shell true
		ask
		;;
	esac
	echo "$told"
	case $told in
	*' 1 '*) echo screen; tmux -u capture-pane -p -t "=main:.$pane" -S -50 ;;
	esac
}

ask() {
	told=$(tmux -u has-session -t "=main:.$pane" \; display-message -p -t "=main:.$pane" \
		'pane #{pane_id} #{?pane_pid,#{pane_pid},0} #{?pane_dead,1,0} #{pane_dead_status}') || exit
}
