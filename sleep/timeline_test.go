package sleep

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// look is what one tick saw; a timeline is all of them. The model below decides
// from the whole history, where Observe keeps five fields.
type look struct {
	now      time.Time
	attached Answer
	activity time.Time
	running  Answer
	jumped   bool
}

// since is when the window opened, by the whole history: not before the clock
// was set or the session came up, not before the last activity, not before the
// first No that follows the last Yes.
func since(history []look) time.Time {
	last := history[len(history)-1]
	var floor time.Time
	up, detached := false, time.Time{}
	for i, l := range history {
		if l.jumped || i > 0 && history[i-1].now.After(l.now.Add(ClockStep)) {
			floor = l.now
		}
		// The clock that was set back leaves nothing in the future.
		if detached.After(l.now) {
			detached = l.now
		}
		switch {
		case l.running == No:
			up, detached = false, time.Time{}
		case l.running == Yes && !up:
			if slices.ContainsFunc(history[:i], func(l look) bool { return l.running == No }) {
				floor = l.now
			}
			up, detached = true, time.Time{}
		}
		switch l.attached {
		case Yes:
			detached = time.Time{}
		case No:
			if detached.IsZero() {
				detached = l.now
			}
		}
	}
	return later(last.activity, later(floor, detached))
}

// SLP-2: over whole lives, with attaching, detaching, failing looks, restarts of
// the box and a clock that is set, the window is where the history says.
func TestTimelines(t *testing.T) {
	seed := seed()
	r := rand.New(rand.NewPCG(seed, 2))
	slept, jumps := 0, 0
	for run := range 1000 {
		var history []look
		var rec Record
		now, activity := t0, t0.Add(-time.Hour)
		attached, running := No, Yes
		s := idle()
		s.Policy.Setting.After = time.Duration(r.IntN(5)) * time.Minute
		for range 60 {
			now = now.Add(30 * time.Second)
			l, jump := look{now: now}, time.Duration(3+r.IntN(3600))*time.Second
			switch r.IntN(24) {
			case 0:
				attached = Yes
			case 1, 2:
				attached = No
			case 3:
				activity = now.Add(-time.Duration(r.IntN(20)) * time.Second)
			case 4:
				if r.IntN(4) == 0 {
					running = No
				}
			case 5:
				if r.IntN(8) == 0 { // forward; backward is noticed without being told
					jumps++
					now = now.Add(jump)
					l.now, l.jumped = now, true
				}
			case 6:
				if r.IntN(8) == 0 {
					jumps++
					now = now.Add(-jump)
					l.now = now
				}
			default:
				running = Yes
			}
			l.running, l.attached, l.activity = running, attached, activity
			if r.IntN(6) == 0 {
				l.attached = CannotTell
			}
			if l.running == No {
				l.attached = No
				activity, attached = now, No
			}
			history = append(history, l)
			f := Facts{Running: l.running, Attached: l.attached, LastActivity: l.activity}
			rec = rec.Observe(f, l.now, l.jumped)
			s.Now, s.Facts, s.Record, s.Proof.At = l.now, f, rec, l.now
			opens := since(history)
			may := l.running == Yes && l.attached == No && l.activity.Before(l.now.Truncate(time.Second)) && l.now.Sub(opens) >= s.Policy.Setting.After
			d := Decide(s)
			if (d.Action == Sleep) != may {
				t.Fatalf("SLEEP_SEED=%d, run %d: %s by %s (%s), but by the history the window opened at %s; now %s\nrecord %+v\nhistory %+v",
					seed, run, d.Action, d.Rule, d.Why, opens, l.now, rec, history)
			}
			if may {
				slept++
			}
		}
		// In the end it sleeps, when nothing speaks against it: one window after
		// the last thing that did, and a tick.
		now = later(now, activity)
		f := Facts{Running: Yes, Attached: No, LastActivity: activity}
		rec = rec.Observe(f, now, false)
		for !now.After(rec.Opens(activity).Add(s.Policy.Setting.After)) {
			now = now.Add(30 * time.Second)
			rec = rec.Observe(f, now, false)
		}
		s.Now, s.Facts, s.Record, s.Proof.At = now, f, rec, now
		if d := Decide(s); d.Action != Sleep || now.Sub(later(history[len(history)-1].now, activity)) > 2*time.Hour {
			t.Fatalf("SLEEP_SEED=%d, run %d: never sleeps: %+v at %s", seed, run, d, now)
		}
	}
	if slept < 300 || jumps < 100 {
		t.Errorf("slept %d times, %d jumps: the timelines prove little", slept, jumps)
	}
}

// SLP-2: not being able to tell neither opens the window later nor counts as a
// detach.
func TestCannotTellNeverAdvances(t *testing.T) {
	at := func(m int) time.Time { return t0.Add(time.Duration(m) * time.Minute) }
	r := Record{}
	for m, a := range []Answer{Yes, CannotTell, CannotTell, No, CannotTell, No} {
		r = r.Observe(Facts{Running: Yes, Attached: a}, at(m), false)
		want := time.Time{}
		if m >= 3 {
			want = at(3)
		}
		if !r.DetachedSince.Equal(want) {
			t.Errorf("minute %d, %s: detached since %s, want %s", m, a, r.DetachedSince, want)
		}
	}
}
