package carrier

import (
	"context"
	"fmt"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/nudge"
)

// Nudge types the message into the agent and presses Enter. See nudge.Deliver for
// the errors. The Receipt also comes beside an error, and says how far it got.
func (s *Session) Nudge(ctx context.Context, m nudge.Message) (nudge.Receipt, error) {
	start := time.Now()
	if m.Agent == "" {
		m.Agent = s.Agent
	}
	if m.ID == "" {
		m.ID = nudge.NewID()
	}
	var r nudge.Receipt
	err := s.carrier.overExec(ctx,
		func() (err error) {
			r, err = nudge.Deliver(ctx, s.carrier.Door(), s.Name, m)
			return err
		},
		func(ops Dedicated) (err error) {
			r, err = s.handOver(ctx, ops, m)
			return err
		})
	s.observe(ctx, start, Event{Verb: "nudge", Execs: r.Execs, Bytes: len(m.Text), Outcome: err})
	return r, err
}

// handOver gives the message to the runtime's own nudge, which confirms nothing.
func (s *Session) handOver(ctx context.Context, ops Dedicated, m nudge.Message) (nudge.Receipt, error) {
	r := nudge.Receipt{Session: s.Name, ID: m.ID, Stage: nudge.Nothing, Confirmed: nudge.Unconfirmed, Brackets: "unknown"}
	if m.Fence != "" {
		return r, fmt.Errorf("session %q: %w", s.Name, fence.ErrUnsupported)
	}
	if m.Draft == nudge.DraftRefuse || m.Draft == nudge.DraftClear {
		return r, fmt.Errorf("session %q: %w, so no draft can be seen", s.Name, box.ErrExecUnsupported)
	}
	text, err := m.Prepared()
	if err != nil {
		return r, err
	}
	handled, err := ops.Nudge(ctx, s.Name, text)
	r.Stage = stage(handled, err)
	return r, err
}

// stage says what is known of input that a dedicated operation took.
func stage(handled bool, err error) nudge.Stage {
	switch {
	case err != nil:
		return nudge.Unknown
	case handled:
		return nudge.HandedOver
	default:
		return nudge.Ignored
	}
}

// Receipt asks what the agent pane remembers of a message: submitted, typed, or
// unknown, which it also is after 64 later messages and in another incarnation.
func (s *Session) Receipt(ctx context.Context, id string) (nudge.Receipt, error) {
	return nudge.Lookup(ctx, s.carrier.Door(), s.Name, id)
}
