# Finding the agent pane of session main, and filling in command lists for it.
# In: fence, the name of the fence option, empty where the box takes no fence.

set +eu
set -f
newline='
'

# find_pane sets version, pane, pid and brackets (has the program turned bracketed
# paste on? 1, 0, or ? where tmux does not tell). CAR-4: the pane that carries the
# fence; else the one that a start recorded; else, where none was, the lowest id. Never
# the active one, nor a person's when the agent's is gone.
find_pane() {
	seen=$(tmux -u has-session -t =main: \; display-message -p 'version #{version}' \; list-panes -s -t =main: -F \
		'pane #{pane_id}:#{?pane_pid,#{pane_pid},0}:#{?#{==:#{bracket_paste_flag},},?,#{bracket_paste_flag}}' \; \
		if-shell -F -t =main: '#{GC_AGENT_PANE}' 'show-environment -t =main GC_AGENT_PANE')
	status=$?
	version='' panes='' pane='' recorded=''
	while read -r what value; do
		case $what in
		version) version=$value ;;
		pane) panes="$panes $value" ;;
		GC_AGENT_PANE=*) recorded=${what#*=} ;;
		esac
	done <<-EOF
		$seen
	EOF
	# rc 0 proves nothing: a server killed under its client says 0 and no word. Nor does
	# rc 1: the variable may be the server's and not the session's.
	[ -n "$panes" ] || { [ "$status" -ne 0 ] || echo 'tmux gave no answer' >&2; exit "$((status ? status : 70))"; }
	case $version in
	[12].* | openbsd-[1-6].*) echo "tmux $version is older than 3.0" >&2; exit 78 ;;
	esac
	choose
	pid=${panes##* "$pane":} pid=${pid%% *}
	brackets=${pid#*:} pid=${pid%:*}
}

# choose picks the agent's among panes. One alone, if none other was recorded, needs no
# further look.
choose() {
	case $recorded in
	%[0-9]*) ;;
	*) recorded='' ;;
	esac
	only=${panes# }
	case $only in
	*' '*) ;;
	"$recorded":*) pane=$recorded ;;
	*) [ -n "$recorded" ] || pane=${only%%:*} ;;
	esac
	[ -z "$pane" ] || return 0
	[ -z "$fence" ] || for each in $panes; do
		[ -z "$(tmux -u show-options -pqv -t "${each%%:*}" "$fence")" ] || lowest "${each%%:*}"
	done
	[ -z "$pane" ] || return 0
	case "$panes " in
	*" $recorded:"*) pane=$recorded ;;
	*)
		[ -z "$recorded" ] || { echo "can't find pane: $recorded, which was the agent's" >&2; exit 1; }
		for each in $panes; do lowest "${each%%:*}"; done
		;;
	esac
}

lowest() {
	[ -n "$pane" ] && [ "${pane#%}" -lt "${1#%}" ] || pane=$1
}

# act runs one command list, a word a line, as one tmux client, with what only
# the box knows filled in.
act() {
	case $version in
	3.0* | next-3.0*) leave="send-keys -t =main:.$pane -X cancel" ;;
	*) leave="copy-mode -q -t =main:.$pane" ;;
	esac
	# dash's own patterns take a tenth of a second for a list of 7 KB. The values are
	# digits, hex digits and names of ours: sed gives none of them a meaning.
	list=$(printf '%s\n' "$1" | LC_ALL=C sed \
		"s/!PANE!/$pane/g; s/!PID!/$pid/g; s/!LEAVE!/$leave/g; s/!JOURNAL!/$journal/g; s/!LAST!/$last/g")
	IFS=$newline
	# shellcheck disable=SC2086 # a word a line
	set -- $list
	unset IFS
	tmux -u "$@"
}

# put puts a value in the place of a word. The value must not hold the word.
put() {
	while :; do
		case $list in
		*"$1"*) list=${list%%"$1"*}$2${list#*"$1"} ;;
		*) return ;;
		esac
	done
}

# said_line sets said to the line of an answer that begins with a word: a hook of the
# user's may print others. Its status is 1 if there is none.
said_line() {
	said="$newline$2$newline"
	case $said in
	*"$newline$1"[\ "$newline"]*) ;;
	*) return 1 ;;
	esac
	said=$1${said#*"$newline$1"}
	said=${said%%"$newline"*}
}

# nap waits; some boxes have no fractional sleep.
nap() {
	sleep "$1" 2>/dev/null || sleep "$((${1%.*} + 1))"
}
