package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/idle"
	"github.com/gastownhall/tmux-carrier/prompt"
	"github.com/gastownhall/tmux-carrier/sleep"
)

const (
	// wishPause lies between two looks whether the controller has served a wish.
	wishPause = 100 * time.Millisecond
	// readyPause lies between two looks whether an agent is ready.
	readyPause = 300 * time.Millisecond
)

// Wake has the session up, and returns when it is. The controller that works on dir does
// it; where there is none, or it ends meanwhile, Wake is one for as long as it takes. It
// then stays up for sleep.WakeHolds, so what woke it comes before it sleeps again. A
// session that is up already is held there too.
//
// When ctx ends first the wish stays: a controller will serve it.
func (s *Sessions) Wake(ctx context.Context, dir, name string, why sleep.Reason) error {
	if _, ok := s.starts[name]; !ok {
		return fmt.Errorf("session %q: %s", name, cannotWake)
	}
	for asked := false; ; {
		err := s.wakeAlone(ctx, dir, name, why)
		if !errors.Is(err, sleep.ErrHeld) {
			return err
		}
		if !asked {
			if err := sleep.RequestWake(dir, name, why); err != nil {
				return fmt.Errorf("wake %s: %w", name, err)
			}
			asked = true
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wake %s: its controller has not done it yet: %w", name, ctx.Err())
		case <-time.After(wishPause):
		}
		if why, err := sleep.Requested(dir, name); err == nil && why == "" {
			return nil
		}
	}
}

// wakeAlone is sleep.ErrHeld if a controller works on dir.
func (s *Sessions) wakeAlone(ctx context.Context, dir, name string, why sleep.Reason) error {
	c := &sleep.Controller{Sessions: s, Dir: dir}
	if err := c.Open(); err != nil {
		return err
	}
	return errors.Join(c.Wake(ctx, name, why), c.Close())
}

// Ready waits until the agent can be typed to, and says what it saw: it is idle, or the
// screen shows a turn, a draft or a dialog, of which a nudge knows what to do. A screen
// that cannot be told, or is still being drawn, is waited for until ctx ends, and the
// error is that of the last look. Where the runtime has no idle boundary nothing can be
// told, and nothing is waited for.
func (s *Sessions) Ready(ctx context.Context, name string) (idle.Proof, error) {
	options := prompt.Options{ReadyPrompt: s.starts[name].ReadyPromptPrefix}
	var last idle.Proof
	for {
		proof, err := s.prover.Check(ctx, name)
		switch {
		case err == nil, errors.Is(err, idle.ErrUnsupported):
			return proof, nil
		case errors.Is(err, box.ErrAbsent), errors.Is(err, box.ErrExecUnsupported):
			return proof, err
		case looked(proof):
			last = proof
			// What one look says: two that differ count as busy, as two of a first
			// screen do while it is drawn.
			switch prompt.Classify(proof.Observation, options).Kind {
			case prompt.Busy, prompt.Draft, prompt.Dialog:
				return proof, nil
			}
		}
		select {
		case <-ctx.Done():
			return last, err
		case <-time.After(readyPause):
		}
	}
}
