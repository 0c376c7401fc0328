package sleep

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

const (
	// callGrace is what a canceled call may still take: the protocol gives an
	// executable 2 s, and rpp 0.5 s more.
	callGrace = 3 * time.Second

	// actPatience is what a stop or a start may take before it counts as slow.
	// docker stop gives a process 10 s.
	actPatience = 20 * time.Second

	backOffMax = 10 * time.Minute
)

var (
	errWoken     = errors.New("somebody asked for it meanwhile")
	errAbandoned = errors.New("the call did not return after its deadline")
)

// visit is the handling of one session in one tick, or of one wake.
type visit struct {
	c     *Controller
	s     *slot
	entry Entry
	began time.Duration

	ctx    context.Context
	cut    context.CancelCauseFunc
	ticket *ticket
	finish func() // once: nobody need wait for this visit any longer

	snap   Snapshot
	proof  Proof
	trips  int
	failed bool
	err    error // of the last call that failed
}

func (c *Controller) visit(ctx context.Context, s *slot, finish func()) *visit {
	_, mono := c.Clock()
	v := &visit{c: c, s: s, began: mono, finish: sync.OnceFunc(finish)}
	v.ctx, v.cut = context.WithCancelCause(ctx)
	s.mu.Lock()
	v.entry = s.entry
	s.mu.Unlock()
	return v
}

// launch visits a session whose turn is held, in the lane that it deserves.
func (c *Controller) launch(ctx context.Context, s *slot, all *sync.WaitGroup) {
	_, mono := c.Clock()
	if !s.due(mono) {
		v := c.visit(ctx, s, func() {})
		v.snap.Record = c.store.get(s.name)
		v.report(keep(RuleBackOff, "its box failed %s; it is asked again in %s", times(s.fails), round(s.next-mono)))
		v.end()
		return
	}
	all.Add(1)
	c.live.Add(1)
	v := c.visit(ctx, s, func() { all.Done(); c.live.Done() })
	s.mu.Lock()
	slow := s.slow
	if s.asked == "" {
		s.cut = v.cut
	}
	s.mu.Unlock()
	enter := func() bool {
		t, err := c.looks.enter(v.ctx, slow, v.cut)
		if err != nil {
			v.end()
			return false
		}
		v.ticket = t
		return true
	}
	if slow {
		go func() {
			if enter() {
				v.run()
				v.end()
			}
		}()
	} else if enter() {
		go func() {
			v.run()
			v.end()
		}()
	}
}

// end gives everything back.
func (v *visit) end() {
	v.ticket.release()
	v.cut(nil)
	v.s.mu.Lock()
	v.s.cut = nil
	v.s.mu.Unlock()
	<-v.s.turn
	v.finish()
}

// call runs one call of Sessions under its deadline. One that ignores it keeps
// the session's turn, but neither a place in a lane nor the tick.
func (v *visit) call(ctx context.Context, timeout, patience time.Duration, f func(context.Context)) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	guard := time.AfterFunc(timeout+callGrace, func() {
		v.cut(errAbandoned)
		v.ticket.release()
		v.finish()
	})
	defer guard.Stop()
	v.ticket.patience(patience)
	f(ctx)
}

// move changes lanes.
func (v *visit) move(l *lanes) error {
	v.slowness()
	v.ticket.release()
	t, err := l.enter(v.ctx, false, v.cut)
	v.ticket = t
	t.patience(actPatience)
	return err
}

func (v *visit) run() {
	d := v.decide()
	if d.Action == Probe {
		v.prove()
		v.snap.Proof = v.proof
		v.snap.Now, _ = v.c.Clock()
		d = Decide(v.snap)
	}
	switch {
	case v.ctx.Err() != nil:
		d = v.interrupted()
	case d.Action == Sleep && !v.c.DryRun:
		d = v.sleep()
	case d.Action == Wake && !v.c.DryRun:
		d = v.wake(d)
	default:
		v.served()
	}
	if d.Action == Probe { // the proof grew old while it waited
		d = keep(RuleUnproven, "its proof grew old, or it was active meanwhile")
	}
	v.slowness()
	if d.Action != "" {
		v.report(d)
	}
}

// decide looks at everything and applies the rules.
func (v *visit) decide() Decision {
	v.look()
	v.reasons()
	now, mono := v.c.Clock()
	v.snap.Now, v.snap.Policy, v.snap.Proof = now, v.entry.Policy, v.proof
	if v.ctx.Err() != nil {
		return v.interrupted()
	}
	before := v.c.store.get(v.s.name)
	after := before.Observe(v.snap.Facts, now, v.s.jumped(now, mono))
	after.Proof.RoundTrips = 0
	v.keep(after)
	// Most of what a look tells would only be found again, later, by a controller
	// that does not know it, and later is safe; so it waits for the end of the tick.
	// These would open a window too early if they were lost:
	attached := !before.DetachedSince.IsZero() && after.DetachedSince.IsZero()
	down := before.Phase == Awake && after.Phase == Down
	clock := before.Phase == after.Phase && !before.Floor.Equal(after.Floor)
	if attached || down || clock {
		if err := v.write(); err != nil {
			return keep(RuleStateErr, "its state could not be written: %v", err)
		}
	}
	return Decide(v.snap)
}

// interrupted says why the looking ended early. Nothing is concluded.
func (v *visit) interrupted() Decision {
	switch err := context.Cause(v.ctx); {
	case errors.Is(err, errCrowded):
		return keep(RuleCrowded, "%v", err)
	case errors.Is(err, errWoken):
		return keep(Rule(Explicit), "%v", err)
	case errors.Is(err, errAbandoned):
		return keep(RuleUnreachable, "%v", err)
	}
	return Decision{} // the controller ends: there is nothing to say
}

func (v *visit) keep(r Record) {
	if slept := v.c.store.get(v.s.name).SleptAt; !slept.IsZero() && r.SleptAt.IsZero() {
		v.c.metrics.slept(r.Seen.Sub(slept))
	}
	v.snap.Record = r
	v.c.store.put(v.s.name, r)
}

func (v *visit) write() error {
	if v.c.DryRun {
		return nil
	}
	return v.c.store.sync()
}

// slowness remembers in which lane the session belongs next time.
func (v *visit) slowness() {
	if v.ticket == nil || v.ticket.lane != v.c.looks {
		return
	}
	v.s.mu.Lock()
	v.s.slow = v.ticket.wasSlow() && v.now()-v.began > v.c.lookPace.patience()
	v.s.mu.Unlock()
}

func (v *visit) now() time.Duration {
	_, mono := v.c.Clock()
	return mono
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
