# Delivers one message into the agent pane, from whatever stage an earlier call
# left it in, and says each stage: pane, typed, submitted N, refused, conflict,
# contended; then what is on the screen.
# A message's entry in the pane's journal is its fingerprints and its stage: t, the
# text is in; 1 to 9, so many Enters were pressed.

ticket=$1 hold=$2 patience=$3 fence=$4 token=$5
entry=$6 again=$7 settle=$8 inside=$9
shift 9
typing=$1 pressing=$2 pressing_quoted=$3 draft=$4 size=$5 from=$6 text=$7
buffer=gc-$ticket
keep='' loaded='' quoting=''
last='' journal=''

# leave gives the turn to the next, unless we may have to press Enter again: then
# nobody may type before our turn runs out. It takes what we brought with it.
leave() {
	[ -z "$loaded" ] || tmux delete-buffer -b "$buffer" 2>/dev/null
	[ -z "$from" ] || rm -f -- "$from"
	[ -n "$keep" ] || give
} 2>/dev/null

# recall reads the journal. It begins with the process id, so that a guard can always
# ask for its last word; that of another process of the pane is forgotten, in one
# step: a call that was cut may be typing this very message.
recall() {
	target="=main:.$pane"
	seen=$(tmux -u if-shell -F -t "$target" "#{?#{m:$pid *,#{@gc_journal} },,1}" "set-option -p -t $target @gc_journal $pid" \; \
		display-message -p -t "$target" 'journal #{@gc_journal}') || exit
	said_line journal "$seen" || { echo 'tmux gave no answer' >&2; exit 70; }
	journal=${said#journal }
	case $journal in
	*[!0-9a-ft\ ]*) # not ours, and no list could hold it
		tmux -u set-option -pu -t "$target" @gc_journal
		echo 'the journal was spoilt, and is gone' >&2
		exit 70
		;;
	"$pid" | "$pid "*) ;;
	*) echo 'the journal was not kept' >&2; exit 70 ;;
	esac
	stage='' last=$pid
	for each in ${journal#"$pid"}; do
		last=$each
		case $each in
		"$entry"?) stage=${each#"$entry"} ;;
		"${entry%????????????????}"*) stage=conflict ;;
		esac
	done
}

# load puts the text into a buffer of ours. A text that did not come whole is not
# pasted. Only whose turn it is has a buffer: others are of calls that were killed.
load() {
	loaded=1
	if [ -n "$from" ]; then
		buffers=$(tmux -u load-buffer -b "$buffer" - \; list-buffers -F '#{buffer_name} #{buffer_size}' <"$from") || exit
	else
		buffers=$(printf %s "$text" |
			tmux -u load-buffer -b "$buffer" - \; list-buffers -F '#{buffer_name} #{buffer_size}') || exit
	fi
	came=''
	while read -r name bytes; do
		case $name in
		"$buffer") came=$bytes ;;
		gc-*) tmux delete-buffer -b "$name" 2>/dev/null ;;
		esac
	done <<-EOF
		$buffers
	EOF
	[ "$came" = "$size" ] || { echo "only ${came:-0} of $size bytes came into the box" >&2; exit 70; }
}

# paste pastes the text and notes it.
paste() {
	set -- $journal "${entry}t"
	[ $# -le 65 ] || { shift $(($# - 64)); set -- "$pid" "$@"; }
	journal=$*
	said=$(act "$typing")
	answer typed && last=${entry}t loaded=''
}

# press presses Enter for the journal's last entry and counts it.
press() {
	enters=${last#"${last%?}"}
	[ "$enters" != t ] || enters=0
	enters=$((enters + 1))
	journal=${journal%?}$enters
	if [ -n "$quoting" ]; then said=$(act "$pressing_quoted"); else said=$(act "$pressing"); fi
	answer submitted && last=${last%?}$enters
}

# answer prints what a guarded list said. Only its own words count: a failing hook
# of the user's gives rc 1 after all was done, and a dying server rc 0.
answer() {
	status=$?
	answered=$said
	if said_line "$1" "$answered"; then
		[ -n "$silent" ] || echo "$1 $enters"
	elif said_line refused "$answered"; then
		echo "$said"
		return 1
	else
		[ "$status" -ne 0 ] || status=70
		exit "$status"
	fi
}

# composer looks at what stands in the composer: empty, text, or nothing where that
# cannot be told; whether the transcript quotes a dialog; and at the clock.
composer() {
	seen=$(tmux -u display-message -p -t "=main:.$pane" "inside %s $inside") || exit
	said_line inside "$seen" || { echo 'tmux gave no answer' >&2; exit 70; }
	said=${said#inside }
	now=${said%% *} said=${said#* }
	stands=${said%/*} quoted=${said#*/}
}

# settle waits until the agent took the paste: at least its settle time, and longer
# while the composer is seen to be empty still, as that of a frozen agent is.
settle() {
	nap "$settle"
	composer
	end=$((now + 2))
	while [ "$stands" = empty ] && [ "$now" -le "$end" ]; do
		renew
		nap 0.1
		composer
	done
	[ "$stands" != empty ] || [ -n "$silent" ] || echo untaken
}

# confirm waits, for a short while, until the text is seen to have left the composer.
confirm() {
	keep=1
	nap 0.1
	composer
	end=$((now + 1))
	while [ "$stands" = text ]; do
		if [ "$now" -gt "$end" ]; then
			hold_on
			return
		fi
		renew
		nap 0.1
		composer
	done
	keep=''
}

# hold_on keeps the turn for our caller: nobody may type into a draft.
hold_on() {
	hold=8 until=0
	renew
}

# finish presses Enter for the message before ours if that is still wanting, as its own
# call would have, had it not been cut: ours would be glued to it.
finish() {
	silent=1
	case $last in
	*t) settle ;;
	*) silent=''; return 0 ;;
	esac
	stands=text enters=0
	while [ "$stands" = text ] && [ "$enters" -lt 3 ]; do
		press || return 1
		confirm
	done
	keep='' silent=''
}

# look_first tells whether our caller wants to see the composer before we type: text
# that is not ours may stand in it.
look_first() {
	case $draft in
	always) return 0 ;;
	never) return 1 ;;
	esac
	[ "$attached" != 0 ] || [ "$stands" = text ]
}

find_pane
echo "pane $pane $pid $brackets"
if [ -n "$token" ] && [ -n "$(tmux -u show-options -sqv "$fence")" ]; then
	# A server-wide fence hides even the pane's own: nothing can be checked.
	echo hidden
	exit 0
fi
trap leave EXIT
if ! take; then
	# Without the turn the list can only refuse, and say what is wrong with the fence.
	journal=$pid last=$pid
	if stale; then act "$typing"; else echo contended; fi
	exit 0
fi
recall
case $stage in
conflict) echo conflict; exit 0 ;;
'')
	finish || exit 0
	composer
	quoting=$quoted
	if look_first; then
		echo draft
		see
		exit 0
	fi
	load
	enters=''
	paste || exit 0
	settle
	press || exit 0
	confirm
	;;
t)
	echo typed
	settle
	press || exit 0
	confirm
	;;
*)
	echo "submitted $stage"
	if [ "$stage" = "$again" ] && [ "$last" = "$entry$stage" ]; then
		press || exit 0
		confirm
	fi
	;;
esac
see
