# Finding the agent pane of session main, and filling in command lists for it.
# In: fence, the name of the fence option, empty where the box takes no fence.

set +eu
set -f
newline='
'

# find_pane sets version, pane, pid and brackets (has the program turned bracketed
# paste on? 1, 0, or ? where tmux does not tell). CAR-4: the pane that carries the
# fence; else the one that a start recorded; else the lowest id. Never the active one.
find_pane() {
	seen=$(tmux -u has-session -t =main: \; display-message -p 'version #{version}' \; list-panes -s -t =main: -F \
		'pane #{pane_id}:#{?pane_pid,#{pane_pid},0}:#{?#{==:#{bracket_paste_flag},},?,#{bracket_paste_flag}}') || exit
	version='' panes='' pane=''
	while read -r what value; do
		case $what in
		version) version=$value ;;
		pane) panes="$panes $value" ;;
		esac
	done <<-EOF
		$seen
	EOF
	# rc 0 proves nothing: a server killed under its client says 0 and no word.
	[ -n "$panes" ] || { echo 'tmux gave no answer' >&2; exit 70; }
	case $version in
	[12].* | openbsd-[1-6].*) echo "old $version"; exit 0 ;;
	esac
	case $panes in
	' '*' '*) choose ;;
	*) pane=${panes# } pane=${pane%%:*} ;;
	esac
	pid=${panes##* "$pane":} pid=${pid%% *}
	brackets=${pid#*:} pid=${pid%:*}
}

# choose picks one of several panes.
choose() {
	if [ -n "$fence" ]; then
		for each in $panes; do
			[ -n "$(tmux -u show-options -pqv -t "${each%%:*}" "$fence")" ] || continue
			lowest "${each%%:*}"
		done
		[ -z "$pane" ] || return 0
	fi
	recorded=$(tmux -u show-environment -t =main GC_AGENT_PANE 2>/dev/null)
	case "$panes " in
	*" ${recorded#GC_AGENT_PANE=}:"*) pane=${recorded#GC_AGENT_PANE=} ;;
	*) for each in $panes; do lowest "${each%%:*}"; done ;;
	esac
}

lowest() {
	[ -n "$pane" ] && [ "${pane#%}" -lt "${1#%}" ] || pane=$1
}

# act runs one command list, a word a line, as one tmux client, with what only
# the box knows filled in.
act() {
	list=$1
	put @PANE@ "$pane"
	put @PID@ "$pid"
	case $version in
	3.0* | next-3.0*) put @LEAVE@ "send-keys -t =main:.$pane -X cancel" ;;
	*) put @LEAVE@ "copy-mode -q -t =main:.$pane" ;;
	esac
	put @JOURNAL@ "$journal"
	put @LAST@ "$last"
	IFS=$newline
	# shellcheck disable=SC2086 # a word a line
	set -- $list
	unset IFS
	tmux -u "$@"
}

put() {
	while :; do
		case $list in
		*"$1"*) list=${list%%"$1"*}$2${list#*"$1"} ;;
		*) return ;;
		esac
	done
}

# nap waits; some boxes have no fractional sleep.
nap() {
	sleep "$1" 2>/dev/null || sleep 1
}
