package live

import (
	"context"
	"errors"
	"sync"

	"github.com/gastownhall/tmux-carrier/idle"
	"github.com/gastownhall/tmux-carrier/prompt"
	"github.com/gastownhall/tmux-carrier/sleep"
)

// Look asks what it is asked at the same time, so that it takes one round trip. A
// session that list-running named, and of which the runtime tells an activity, runs:
// that saves its is-running.
func (s *Sessions) Look(ctx context.Context, name string, what sleep.Ask) sleep.Facts {
	var l look
	implied := what&sleep.AskActivity != 0 && s.wasListed(name)
	if what&sleep.AskRunning != 0 && !implied {
		l.ask(func() error { return l.running(ctx, s, name) })
	}
	if what&sleep.AskAttached != 0 {
		l.ask(func() error {
			yes, err := s.runtime.IsAttached(ctx, name)
			l.facts.Attached = answer(yes, err)
			return err
		})
	}
	if what&sleep.AskActivity != 0 {
		l.ask(func() (err error) {
			l.facts.LastActivity, err = s.runtime.LastActivity(ctx, name)
			return err
		})
	}
	l.wait.Wait()
	if what&sleep.AskRunning != 0 && implied {
		if l.facts.LastActivity.IsZero() {
			l.ask(func() error { return l.running(ctx, s, name) })
			l.wait.Wait()
		} else {
			l.facts.Running = sleep.Yes
		}
	}
	return l.facts
}

func (s *Sessions) wasListed(name string) bool {
	listed := s.listed.Load()
	return listed != nil && (*listed)[name]
}

// look is one Look: each call fills in a fact of its own.
type look struct {
	facts sleep.Facts
	wait  sync.WaitGroup
	mu    sync.Mutex // guards Err
}

func (l *look) ask(call func() error) {
	l.facts.RoundTrips++
	l.wait.Go(func() {
		if err := call(); err != nil {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.facts.Err = errors.Join(l.facts.Err, err)
		}
	})
}

func (l *look) running(ctx context.Context, s *Sessions, name string) error {
	yes, err := s.runtime.IsRunning(ctx, name)
	l.facts.Running = answer(yes, err)
	return err
}

func answer(yes bool, err error) sleep.Answer {
	switch {
	case err != nil:
		return sleep.CannotTell
	case yes:
		return sleep.Yes
	default:
		return sleep.No
	}
}

// Prove is an idle check.
func (s *Sessions) Prove(ctx context.Context, name string) (sleep.Proof, error) {
	found, err := s.prover.Check(ctx, name)
	p := sleep.Proof{Sign: sign(found.Verdict), RoundTrips: found.Execs}
	switch {
	case err == nil:
		p.State = sleep.AtBoundary
	case errors.Is(err, idle.ErrUnsupported):
		p.State = sleep.Unsupported
	case !errors.Is(err, idle.ErrBusy), !looked(found):
		return p, err
	default:
		p.State = boundaries[found.Verdict.Kind]
	}
	return p, nil
}

// looked tells a screen that proves nothing from a box that showed none in time.
func looked(p idle.Proof) bool { return p.Execs > 0 && p.Verdict.Sign != "" }

// boundaries of the kinds that say why it is none; any other is Unproven.
var boundaries = map[prompt.Kind]sleep.Boundary{
	prompt.Busy:     sleep.Busy,
	prompt.Dialog:   sleep.Dialog,
	prompt.Draft:    sleep.Draft,
	prompt.Starting: sleep.Starting,
}

// sign is what told the verdict, in our words: nothing of the screen is in it.
func sign(v prompt.Verdict) string {
	switch {
	case v.Dialog != "" && v.Dialog != v.Sign:
		return v.Dialog + ": " + v.Sign
	case v.Missing != "":
		return v.Sign + "; not known: " + v.Missing
	default:
		return v.Sign
	}
}
