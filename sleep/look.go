package sleep

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// look asks the box what is not known already.
func (v *visit) look() {
	r := v.c.store.get(v.s.name)
	now, _ := v.c.Clock()
	what := v.what(r, now)
	v.snap.Facts = Facts{Running: v.entry.Running}
	if what == 0 {
		return
	}
	f := v.lookFor(what)
	if r.Phase == Asleep && f.Running == Yes && v.entry.Policy.maySleep() { // somebody started it
		what = AskAll
		f = v.lookFor(what)
	}
	if what&AskActivity == 0 {
		f.LastActivity = r.LastActivity
	}
	v.snap.Facts = f
}

func (v *visit) lookFor(what Ask) (f Facts) {
	if !v.entry.Policy.Attachment {
		what &^= AskAttached
	}
	v.timed(CallLook, func() error {
		v.call(v.ctx, v.c.LookTimeout, v.c.lookPace.patience(), func(ctx context.Context) {
			f = v.c.Sessions.Look(ctx, v.s.name, what)
			if ctx.Err() != nil { // an answer that comes too late, or half of one
				f = Facts{RoundTrips: f.RoundTrips, Err: errors.Join(context.Cause(ctx), f.Err)}
			}
		})
		return f.Err
	})
	v.trips += max(1, f.RoundTrips)
	return f
}

// what must be asked. A session that sleeps and that the list says is down costs
// no round trip; one whose window cannot be over by an activity that is known
// already is not asked for a later one.
func (v *visit) what(r Record, now time.Time) Ask {
	p := v.entry.Policy
	if r.Phase == Asleep && v.entry.Running == No {
		return 0
	}
	if !p.maySleep() || r.Phase == Asleep {
		return AskRunning
	}
	what := AskAll
	if r.Phase == Awake && !r.LastActivity.IsZero() && now.Before(r.LastActivity.Add(p.Setting.After)) {
		what &^= AskActivity
	}
	return what
}

// reasons collects why the session must be up: wishes first, then the world's.
func (v *visit) reasons() {
	v.snap.Reasons, v.snap.ReasonsErr = nil, nil
	why, err := Requested(v.c.Dir, v.s.name)
	if asked := v.askedHere(); asked != "" {
		why = asked
	}
	v.call(v.ctx, v.c.LookTimeout, v.c.lookPace.patience(), func(ctx context.Context) {
		var e error
		v.snap.Reasons, e = v.c.Sessions.WakeReasons(ctx, v.s.name)
		err = errors.Join(err, e)
	})
	if why != "" {
		v.snap.Reasons = append([]Reason{why}, v.snap.Reasons...)
	}
	v.snap.ReasonsErr = err
}

// asked is a wish that is not served yet, of this process or another. One that
// cannot be read counts.
func (v *visit) asked() Reason {
	if why := v.askedHere(); why != "" {
		return why
	}
	why, err := Requested(v.c.Dir, v.s.name)
	if err != nil {
		return Explicit
	}
	return why
}

func (v *visit) askedHere() Reason {
	v.s.mu.Lock()
	defer v.s.mu.Unlock()
	return v.s.asked
}

// prove looks for an idle boundary.
func (v *visit) prove() {
	var p Proof
	var err error
	at, _ := v.c.Clock()
	began := v.now()
	v.timed(CallProve, func() error {
		v.call(v.ctx, v.c.ProveTimeout, v.c.provePace.patience(), func(ctx context.Context) {
			p, err = v.c.Sessions.Prove(ctx, v.s.name)
			if err == nil && ctx.Err() != nil {
				err = fmt.Errorf("it answered too late: %w", context.Cause(ctx))
			}
		})
		return err
	})
	v.trips += max(1, p.RoundTrips)
	p.At, p.RoundTrips = at, 0
	if err != nil {
		p.State, p.Sign = Unproven, err.Error()
	}
	v.proof = p
	v.c.metrics.proof(p.State, v.now()-began)
	if v.ctx.Err() == nil {
		r := v.snap.Record
		r.Proof = p
		v.keep(r)
	}
}

// timed counts a call of the box, and whether it failed.
func (v *visit) timed(call Call, f func() error) {
	began := v.now()
	err := f()
	took := v.now() - began
	v.c.metrics.call(call, err)
	if err != nil {
		v.err = err
	}
	if err == nil {
		switch call {
		case CallLook:
			v.c.lookPace.saw(took)
		case CallProve:
			v.c.provePace.saw(took)
		}
	} else if v.ctx.Err() == nil {
		v.failed = true
	}
}

// backOff spaces the visits of a box that keeps failing. The first failure costs
// nothing: the next tick looks again.
func (v *visit) backOff() {
	v.s.mu.Lock()
	defer v.s.mu.Unlock()
	if !v.failed {
		if v.ctx.Err() == nil {
			v.s.fails, v.s.next = 0, 0
		}
		return
	}
	v.s.fails++
	wait := min(v.c.Interval<<min(v.s.fails-1, 16), backOffMax)
	v.s.next = v.now() + wait - v.c.Interval/2
}
