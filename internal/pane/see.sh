# Looking at the agent pane: everything that tells its state, what the session keeps of
# its ready prompt first, and the screen last, for that can hold anything. The first argument is how many lines of history to add.
see() {
	echo "ready $(tmux -u show-environment -t =main GC_READY_PROMPT_PREFIX 2>/dev/null)"
	tmux -u has-session -t "=main:.$pane" \; \
		display-message -p -t "=main:.$pane" 'title #{pane_title}' \; \
		display-message -p -t "=main:.$pane" 'command #{pane_current_command}' \; \
		display-message -p -t "=main:.$pane" 'mode #{pane_mode}' \; \
		display-message -p -t "=main:.$pane" 'view #{cursor_x} #{cursor_y} #{pane_width} #{pane_height} #{?alternate_on,1,0} #{?pane_dead,1,0} #{session_attached} #{window_activity}' \; \
		display-message -p screen \; \
		capture-pane -p -t "=main:.$pane" -S "-${1:-0}" || exit
}
