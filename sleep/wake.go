package sleep

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Wake has the session up and returns nil when it is: at once if it runs, else
// when its start succeeded. It ends a look that could lead to sleep, waits for a
// stop that is under way and starts the session after it, and joins a start. The
// wish is on disk before anything is done, so it outlives this process. A woken
// session stays up for WakeHolds.
func (c *Controller) Wake(ctx context.Context, session string, why Reason) error {
	if c.DryRun {
		return errors.New("a dry run wakes nothing")
	}
	if why == "" {
		why = Explicit
	}
	if c.Dir != "" {
		if err := RequestWake(c.Dir, session, why); err != nil {
			return fmt.Errorf("wake %s: %w", session, err)
		}
	}
	s := c.slot(session)
	s.ask(why)
	c.live.Add(1)
	return c.wake(ctx, s, c.live.Done)
}

// wake calls finish once: when it is done, or when a call does not return after
// its deadline.
func (c *Controller) wake(ctx context.Context, s *slot, finish func()) error {
	finish = sync.OnceFunc(finish)
	defer finish()
	s.mu.Lock()
	if s.cut != nil {
		s.cut(errWoken)
	}
	s.mu.Unlock()
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return fmt.Errorf("wake %s: %w", s.name, ctx.Err())
	}
	v := c.visit(ctx, s, finish)
	defer v.end()
	// Only whether it runs matters here, and the list's word is old.
	v.entry.Running = CannotTell
	v.entry.Policy.Setting.Sleep = false
	d := v.decide()
	v.snap.Policy, v.entry.Policy = s.policy(), s.policy()
	if v.ctx.Err() != nil {
		return fmt.Errorf("wake %s: %w", s.name, context.Cause(v.ctx))
	}
	if v.snap.Facts.Running == No && d.Action != Wake {
		// Another visit has served the wish, and the session went down since.
		d = wake(wakeRule(Explicit), Explicit, "%s", Explicit.sentence())
	}
	if d.Action == Wake {
		d = v.wake(d)
	} else {
		v.served()
	}
	v.report(d)
	switch {
	case v.snap.Facts.Running == Yes:
		return nil
	case v.err != nil:
		return fmt.Errorf("wake %s: %s: %w", s.name, d.Rule, v.err)
	}
	return fmt.Errorf("wake %s: %s", s.name, d.Why)
}

func (s *slot) policy() Policy {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.entry.Policy
}
