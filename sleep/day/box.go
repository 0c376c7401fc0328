package day

import (
	"errors"
	"math/rand/v2"
	"time"

	"github.com/gastownhall/tmux-carrier/sleep"
)

// box is one session and its agent. All times are since midnight.
type box struct {
	name    string
	policy  sleep.Policy
	r       *rand.Rand
	startup time.Duration // from start to the ready prompt
	day     []event       // still to come

	up       bool
	ready    time.Duration
	todo     []event       // came, and was not begun
	doing    *event        // the turn that runs
	ends     time.Duration // of that turn
	activity time.Duration
	attached time.Duration // somebody is, until then
	dialog   bool          // waits for a person
	draft    bool

	upSince, upFor time.Duration
	needed         time.Duration // something spoke against sleep, at the ticks
	sleeps, wakes  int
	latency        map[sleep.Reason][]time.Duration
	wrong          []string
}

// advance lives until now.
func (b *box) advance(now time.Duration) {
	for b.up {
		if b.doing != nil {
			if !b.doing.quiet {
				b.activity = min(now, b.ends)
			}
			if b.ends > now {
				return
			}
			b.activity = max(b.activity, b.ends)
			b.dialog = b.doing.dialog
			b.doing = nil
		}
		if len(b.todo) == 0 || b.dialog || max(b.ready, b.todo[0].at) > now {
			return
		}
		next := b.todo[0]
		b.todo = b.todo[1:]
		began := max(b.ready, b.ends, next.at)
		b.doing, b.ends, b.activity = &next, began+next.busy, began
	}
}

// come is an event from outside; it says whether somebody asks for the session.
func (b *box) come(e event, now time.Duration) (ask bool) {
	b.advance(now)
	if e.why == sleep.Attach {
		b.dialog, b.draft = false, false // the person answers, and sends
		b.attached = max(b.attached, now+e.stay)
		if e.draft {
			b.draft = true
		}
	}
	b.todo = append(b.todo, e)
	if b.up {
		b.latency[e.why] = append(b.latency[e.why], max(0, b.ready-now))
		b.activity = max(b.activity, now)
		b.advance(now)
	}
	return e.why != sleep.Work
}

// against says what speaks against stopping it now.
func (b *box) against(now time.Duration) string {
	b.advance(now)
	switch {
	case b.up && now < b.attached:
		return "attached"
	case b.doing != nil:
		return "busy"
	case b.dialog:
		return "dialog"
	case b.draft:
		return "draft"
	case len(b.todo) > 0:
		return "something waits for it"
	}
	return ""
}

var errFault = errors.New("a fault of the trace")

func (b *box) look(now time.Duration, midnight time.Time) sleep.Facts {
	b.advance(now)
	if b.r.Float64() < 0.005 {
		return sleep.Facts{Err: errFault}
	}
	f := sleep.Facts{Running: sleep.No, Attached: sleep.No, RoundTrips: 1}
	if b.up {
		f.Running = sleep.Yes
		if now < b.attached {
			f.Attached = sleep.Yes
		}
		f.LastActivity = midnight.Add(b.activity).Truncate(time.Second)
	}
	if b.r.Float64() < 0.01 {
		f.Attached, f.Err = sleep.CannotTell, errFault
	}
	return f
}

func (b *box) prove(now time.Duration) (sleep.Proof, error) {
	b.advance(now)
	state := sleep.AtBoundary
	switch {
	case !b.up || b.r.Float64() < 0.01:
		return sleep.Proof{}, errFault
	case b.dialog:
		state = sleep.Dialog
	case b.doing != nil:
		state = sleep.Busy
	case now < b.ready:
		state = sleep.Starting
	case b.draft:
		state = sleep.Draft
	}
	return sleep.Proof{State: state, Sign: "simulated", RoundTrips: 1}, nil
}

// reasons are what a host knows: the work, and half of the dialogs.
func (b *box) reasons(now time.Duration) (all []sleep.Reason) {
	b.advance(now)
	work := b.doing != nil && b.doing.why == sleep.Work
	for _, e := range b.todo {
		work = work || e.why == sleep.Work
	}
	if work {
		all = append(all, sleep.Work)
	}
	if b.dialog && b.startup%2 == 0 {
		all = append(all, sleep.Pending)
	}
	return all
}

func (b *box) stop(now time.Duration) {
	if why := b.against(now); why != "" {
		b.wrong = append(b.wrong, why)
	}
	if !b.up {
		b.wrong = append(b.wrong, "stopped twice")
		return
	}
	b.up = false
	b.upFor += now - b.upSince
	b.sleeps++
}

func (b *box) start(now time.Duration) {
	if b.up {
		return
	}
	if len(b.todo) == 0 {
		b.wrong = append(b.wrong, "woken for nothing")
	}
	b.up, b.upSince, b.ready = true, now, now+b.startup
	b.activity = now
	b.wakes++
	for _, e := range b.todo { // what waited, waited for this
		b.latency[e.why] = append(b.latency[e.why], b.ready-e.at)
	}
	b.advance(now)
}
