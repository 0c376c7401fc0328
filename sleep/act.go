package sleep

import (
	"context"
	"errors"
)

// sleep looks once more and stops the session.
func (v *visit) sleep() Decision {
	if err := v.move(v.c.stops); err != nil {
		return v.interrupted()
	}
	d := v.decide()
	if v.ctx.Err() != nil {
		return v.interrupted()
	}
	if d.Action != Sleep {
		v.served()
		return d
	}
	before, r := v.snap.Record, v.snap.Record
	r.Phase, r.For, r.Fingerprint, r.StopSent = Stopping, d.Rule, v.snap.Policy.Fingerprint(), v.snap.Now
	v.keep(r)
	if err := v.write(); err != nil {
		v.keep(before)
		return keep(RuleStateErr, "its state could not be written, so it stays awake: %v", err)
	}
	// A wake from here on waits for the stop and starts the session again; one
	// that came while the state was written is seen now.
	v.committed()
	if why := v.asked(); why != "" || v.ctx.Err() != nil {
		v.keep(before)
		v.served()
		return keep(Rule(Explicit), "%v", errWoken)
	}

	// A stop is not cut when the controller ends: its outcome would be unknown.
	var err error
	v.timed(CallStop, func() error {
		v.call(context.WithoutCancel(v.ctx), v.c.StopTimeout, actPatience, func(ctx context.Context) {
			err = v.c.Sessions.Stop(ctx, v.s.name)
		})
		return err
	})
	if err != nil {
		return keep(RuleFailed, "stop failed, it may or may not take effect: %v", err)
	}
	now, _ := v.c.Clock()
	v.keep(r.asleep(now))
	if err := v.write(); err != nil {
		v.c.Log.Warn("the sleep state could not be written", "session", v.s.name, "err", err)
	}
	// A wake that came during the stop wins.
	v.reasons()
	if len(v.snap.Reasons) > 0 && v.ctx.Err() == nil {
		v.report(d)
		v.snap.Facts, v.snap.Now = Facts{Running: No}, now
		return v.wake(Decide(v.snap))
	}
	return d
}

// wake starts the session. The start's failure leaves everything as it was: what
// asks for the session will ask again.
func (v *visit) wake(d Decision) Decision {
	if err := v.move(v.c.starts); err != nil {
		return v.interrupted()
	}
	if v.committed(); v.ctx.Err() != nil {
		return v.interrupted()
	}
	before, r := v.snap.Record, v.snap.Record
	r.Phase, r.WokenBy = Waking, d.For
	v.keep(r)
	if err := v.write(); err != nil { // a wake is not held up by that
		v.c.Log.Warn("the sleep state could not be written", "session", v.s.name, "err", err)
	}
	began := v.now()
	var err error
	v.timed(CallStart, func() error {
		v.call(v.ctx, v.c.StartTimeout, actPatience, func(ctx context.Context) {
			err = v.c.Sessions.Start(ctx, v.s.name, d.For)
		})
		return err
	})
	if err != nil {
		v.keep(before)
		if werr := v.write(); werr != nil {
			err = errors.Join(err, werr)
		}
		d := keep(RuleFailed, "start failed: %v", err)
		d.For = r.WokenBy
		return d
	}
	now, _ := v.c.Clock()
	v.c.metrics.woke(v.now() - began)
	v.snap.Facts.Running = Yes
	r.Seen = now
	if !r.Settling(now) {
		r = r.up(now)
	}
	v.keep(r)
	if err := v.write(); err != nil {
		v.c.Log.Warn("the sleep state could not be written", "session", v.s.name, "err", err)
	}
	v.served()
	return d
}

// committed says that what follows is not to be cut, neither by a wake nor for
// being slow.
func (v *visit) committed() {
	v.ticket.pin()
	v.s.mu.Lock()
	v.s.cut = nil
	v.s.mu.Unlock()
}

// served forgets the wish to wake if the session is up, and holds it there.
func (v *visit) served() {
	r := v.snap.Record
	if v.c.DryRun || v.snap.Facts.Running != Yes || v.ctx.Err() != nil {
		return
	}
	if v.snap.Now.IsZero() || r.Phase == Stopping || v.asked() == "" {
		return
	}
	now, _ := v.c.Clock()
	r.Woken = now
	v.keep(r)
	if v.write() != nil {
		return
	}
	v.s.mu.Lock()
	v.s.asked = ""
	v.s.mu.Unlock()
	dropRequest(v.c.Dir, v.s.name)
}
