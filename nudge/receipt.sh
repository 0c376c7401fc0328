# Says what the journal of the agent pane remembers of one message: its entry.
# Arguments: FENCE-OPTION ID-FINGERPRINT
fence=$1 id=$2
journal='' last=''
find_pane
journal=$(tmux -u show-options -pqv -t "=main:.$pane" @gc_journal) || exit
case $journal in
"$pid "*)
	for each in $journal; do
		case $each in
		"$id"*) echo "entry $each" ;;
		esac
	done
	;;
esac
echo end
