# Whose turn it is to type (CAR-7). The session option @gc_input is a first-come
# queue of " TICKET.EXPIRY" (seconds of the server's clock); its head may type. Who
# waits renews its entry, and so does the head while its work goes on: one that was
# killed is out of the way soon.
# In: ticket, hold (s), patience (s); pane, fence and token, for a fence that is not ours
# any more ends the wait.

# ask reads the clock, how many clients are attached, and the queue; a change of the
# queue may stand in front, in the same list.
ask() {
	seen=$(tmux -u "$@" display-message -p -t =main: 'turn %s #{session_attached} #{@gc_input}') || exit
	said_line turn "$seen" || { echo 'tmux gave no answer' >&2; exit 70; }
	said=${said#turn }
	now=${said%% *} said=${said#* }
	attached=${said%% *} queue=${said#* }
	case $queue in
	*[!0-9A-Za-z.\ ]*) # not ours, and no format could compare it
		tmux -u set-option -t =main: @gc_input '' || exit
		queue=''
		;;
	esac
}

# replace puts fresh in the place of queue if nobody was quicker.
replace() {
	ask if-shell -F -t =main: "#{==:#{@gc_input},$queue}" "set-option -t =main: @gc_input '$fresh'" \;
}

# take waits for the turn; its status is 1 when the time is up.
take() {
	ask
	until=$((now + patience))
	while :; do
		sort_out
		if [ "$fresh" != "$queue" ] && [ "$now" -le "$until" ]; then
			replace
		elif [ -n "$first" ] && [ "$fresh" = "$queue" ]; then
			until=$((now + 1))
			return 0
		elif [ "$now" -ge "$until" ] || stale; then
			give
			return 1
		else
			nap 0.1
			ask
		fi
	done
}

# stale tells that the pane carries another fence than the one that is asked for.
stale() {
	[ -n "$token" ] && [ "$(tmux -u show-options -pqv -t "=main:.$pane" "$fence")" != "$token" ]
}

# sort_out makes the queue as it should be: those who are gone are out, and we are
# in it, with time enough.
sort_out() {
	fresh='' mine='' first=''
	for each in $queue; do
		expiry=${each##*.}
		case $each in
		"$ticket".*)
			mine=1
			if [ -z "$fresh" ]; then
				first=1
				[ "$expiry" -ge $((now + hold)) ] || expiry=$((now + hold + 1))
			else
				[ "$expiry" -gt $((now + 1)) ] || expiry=$((now + 3))
			fi
			fresh="$fresh $ticket.$expiry"
			;;
		*)
			# A clock that was set back would keep a dead entry for ever.
			[ "$expiry" -ge "$now" ] && [ "$expiry" -le $((now + 600)) ] && fresh="$fresh $each"
			;;
		esac
	done
	[ -n "$mine" ] || fresh="$fresh $ticket.$((now + 3))"
}

# renew keeps the turn while we have it; a turn that another took stays lost, and the
# guard of the next list will say so.
renew() {
	[ "$now" -ge "$until" ] || return 0
	ask
	sort_out
	[ -z "$first" ] || [ "$fresh" = "$queue" ] || replace
	until=$((now + 1))
}

# give takes us out of the queue. Others may change it meanwhile.
give() {
	tries=0
	while [ "$tries" -lt 20 ]; do
		tries=$((tries + 1))
		fresh=''
		for each in $queue; do
			case $each in
			"$ticket".*) ;;
			*) fresh="$fresh $each" ;;
			esac
		done
		[ "$fresh" != "$queue" ] || return
		replace
	done
}
