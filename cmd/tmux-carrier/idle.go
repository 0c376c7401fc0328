package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/idle"
	"github.com/gastownhall/tmux-carrier/prompt"
)

func (p *program) idleVerb() *cobra.Command {
	var wait time.Duration
	var agent string
	cmd := p.verb("idle NAME", "Whether the agent is idle, and which sign told it", 1, 1,
		func(ctx context.Context, args []string) error {
			if err := agentName(agent); err != nil {
				return err
			}
			c, err := p.carrier()
			if err != nil {
				return err
			}
			prover := idle.Prover{Carrier: c, Agent: agent}
			var proof idle.Proof
			if wait > 0 {
				done := p.progress("waiting for " + args[0])
				proof, err = prover.Wait(ctx, args[0], wait)
				done()
			} else {
				proof, err = prover.Check(ctx, args[0])
			}
			switch {
			case errors.Is(err, box.ErrAbsent):
				p.print(verdictOf(args[0], "absent", prompt.Verdict{}), "absent")
			case ctx.Err() == nil && (err == nil || errors.Is(err, idle.ErrBusy)):
				v := proof.Verdict
				p.print(verdictOf(args[0], v.Kind.String(), v), v.Kind.String())
			}
			return notIdle(proof, err)
		})
	cmd.Flags().DurationVar(&wait, "wait", 0, "wait so long for it to be idle")
	agentFlag(cmd, &agent)
	return cmd
}

// verdict is what a screen says, as idle shows it.
type verdict struct {
	Session string `json:"session"`
	State   string `json:"state"`
	Sign    string `json:"sign"`
	Line    string `json:"line"`
	Agent   string `json:"agent"`
}

func verdictOf(session, state string, v prompt.Verdict) verdict {
	return verdict{session, state, sign(v), v.Line, v.Agent}
}

// sign is what told a state: for a dialog, which one.
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
