package carrier

import (
	"context"
	"fmt"
	"time"

	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/nudge"
)

// Keys presses keys by tmux's names; a word that is none is a *nudge.KeyError.
func (s *Session) Keys(ctx context.Context, k nudge.Keys) (nudge.Pressed, error) {
	for _, key := range k.Keys {
		if _, err := nudge.KeyName(key); err != nil {
			return nudge.Pressed{Session: s.Name, Stage: nudge.Nothing}, err
		}
	}
	return s.press(ctx, "keys", k.Fence,
		func() (nudge.Pressed, error) { return nudge.Press(ctx, s.carrier.Door(), s.Name, k) },
		func(ops Dedicated) (bool, error) { return ops.SendKeys(ctx, s.Name, k.Keys...) }, k.Keys)
}

// Interrupt stops the agent's turn with the agent's own keys. A fence limits it to
// one incarnation; "" interrupts whoever is there.
func (s *Session) Interrupt(ctx context.Context, f fence.Token) (nudge.Pressed, error) {
	return s.press(ctx, "interrupt", f,
		func() (nudge.Pressed, error) {
			return nudge.Interrupt(ctx, s.carrier.Door(), s.Name, s.Agent, f)
		},
		func(ops Dedicated) (bool, error) { return ops.Interrupt(ctx, s.Name) }, nil)
}

func (s *Session) press(ctx context.Context, verb string, f fence.Token, over func() (nudge.Pressed, error),
	dedicated func(Dedicated) (bool, error), keys []string,
) (nudge.Pressed, error) {
	start := time.Now()
	var p nudge.Pressed
	err := s.carrier.overExec(ctx,
		func() (err error) {
			p, err = over()
			return err
		},
		func(ops Dedicated) error {
			p = nudge.Pressed{Session: s.Name, Keys: keys, Stage: nudge.Nothing}
			if f != "" {
				return fmt.Errorf("session %q: %w", s.Name, fence.ErrUnsupported)
			}
			handled, err := dedicated(ops)
			p.Stage = stage(handled, err)
			return err
		})
	s.observe(ctx, start, Event{Verb: verb, Execs: p.Execs, Outcome: err})
	return p, err
}
