package day

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gastownhall/tmux-carrier/sleep"
)

// event is something that happens to a session, from outside.
type event struct {
	at    time.Duration // since midnight
	why   sleep.Reason  // Work, Explicit (a nudge) or Attach
	busy  time.Duration // what the agent does about it
	quiet bool          // without any output

	stay   time.Duration // of an attach: how long the person stays at least
	dialog bool          // the turn ends in a dialog that waits for a person
	draft  bool          // the person leaves a draft behind
}

// trace draws the day of one session of a class.
func trace(r *rand.Rand, class sleep.Class, timedOnly bool) []event {
	var day []event
	minutes := func(from, to float64) time.Duration {
		return time.Duration((from + (to-from)*r.Float64()) * float64(time.Minute)).Truncate(time.Second)
	}
	chance := func(p float64) bool { return r.Float64() < p }
	if class == sleep.Noninteractive {
		// Work in bursts, some of it long and silent; now and then a nudge. Under
		// timed_only the activity clock is all there is, so silence there is only
		// safe while the work is known as a reason, which it is.
		for at := minutes(0, 240); at < 24*time.Hour; at += minutes(5, 300) {
			day = append(day, event{at: at, why: sleep.Work, busy: minutes(1, 30), quiet: chance(0.2)})
		}
		for range r.IntN(4) {
			day = append(day, event{at: minutes(0, 24*60-1), why: sleep.Explicit, busy: minutes(0.2, 5), quiet: !timedOnly && chance(0.2)})
		}
	} else {
		// A person's day: attached a few times, in the middle of turns or not.
		for at := minutes(7*60, 11*60); at < 20*time.Hour; at += minutes(20, 240) {
			day = append(day, event{at: at, why: sleep.Attach, busy: minutes(0.5, 25), quiet: chance(0.2),
				stay: minutes(0.5, 60), dialog: chance(0.1), draft: chance(0.1)})
		}
		for range r.IntN(5) {
			day = append(day, event{at: minutes(0, 24*60-1), why: sleep.Explicit, busy: minutes(0.2, 10), dialog: chance(0.1)})
		}
	}
	slices.SortStableFunc(day, func(a, b event) int { return int(a.at - b.at) })
	return day
}
