package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gastownhall/tmux-carrier/idle"
	"github.com/gastownhall/tmux-carrier/nudge"
	"github.com/gastownhall/tmux-carrier/sleep"
)

func (p *program) nudgeVerb() *cobra.Command {
	var m nudge.Message
	var controls, draft string
	var waitIdle time.Duration
	var wake wakeFlags
	cmd := p.verb("nudge NAME [TEXT...]", "Type a text and Enter; from standard input without TEXT", 1, more,
		func(ctx context.Context, args []string) error {
			var err error
			if m.Controls, err = choice("--controls", controls, nudge.ReplaceControls, nudge.RefuseControls); err != nil {
				return err
			}
			if m.Draft, err = choice("--draft", draft, nudge.DraftRefuse, nudge.DraftClear, nudge.DraftAppend); err != nil {
				return err
			}
			if err := agentName(m.Agent); err != nil {
				return err
			}
			if m.Text, err = p.text(ctx, args[1:]); err != nil {
				return err
			}
			if _, err := m.Prepared(); err != nil { // nobody is woken for that
				return err
			}
			if err := wake.up(ctx, p, args[0], sleep.Explicit, true); err != nil {
				return err
			}
			return p.nudge(ctx, args[0], m, waitIdle)
		})
	flags := cmd.Flags()
	fenceFlag(cmd, &m.Fence)
	agentFlag(cmd, &m.Agent)
	flags.Var((*idFlag)(&m.ID), "id", "the message's ID: the same `ID` and text again is typed once (default a new one)")
	flags.DurationVar(&waitIdle, "wait-idle", 0, "wait so long for the agent to be idle")
	flags.BoolVar(&m.EvenDialog, "even-dialog", false, "type although a dialog is on the screen")
	flags.BoolVar(&m.Literal, "literal", false, "take away the meaning that the agent gives to a first ! or / (needs --agent)")
	flags.StringVar(&draft, "draft", "", "with somebody's text in the composer: refuse, clear or append (default refuse what can be seen)")
	flags.BoolVar(&m.LineByLine, "line-by-line", false, "type several lines although the program may submit each")
	flags.StringVar(&controls, "controls", string(nudge.ReplaceControls), "control characters in the text: refuse or replace")
	wake.register(cmd)
	return cmd
}

// idFlag refuses an empty ID: `--id "$ID"` of an unset variable would make a new one,
// and type twice what is sent twice.
type idFlag string

func (f *idFlag) String() string { return string(*f) }
func (f *idFlag) Type() string   { return "string" }

func (f *idFlag) Set(s string) error {
	if s == "" {
		return errors.New("it is empty")
	}
	*f = idFlag(s)
	return nil
}

// text is the words joined by a space, or standard input.
func (p *program) text(ctx context.Context, words []string) (string, error) {
	if len(words) > 0 {
		return strings.Join(words, " "), nil
	}
	return p.readAll(ctx)
}

// readAll reads standard input whole, or until ctx ends: Ctrl-C must end a nudge that
// waits for its text.
func (p *program) readAll(ctx context.Context) (string, error) {
	type input struct {
		text []byte
		err  error
	}
	read := make(chan input, 1)
	go func() {
		text, err := io.ReadAll(p.in)
		read <- input{text, err}
	}()
	select {
	case i := <-read:
		if i.err != nil {
			return "", fmt.Errorf("standard input: %w", i.err)
		}
		return string(i.text), nil
	case <-ctx.Done():
		return "", fmt.Errorf("standard input: %w", ctx.Err())
	}
}

func (p *program) nudge(ctx context.Context, name string, m nudge.Message, waitIdle time.Duration) error {
	session, err := p.session(name, m.Agent)
	if err != nil {
		return err
	}
	defer p.progress("nudging " + name)()
	if waitIdle > 0 {
		c, err := p.carrier()
		if err != nil {
			return err
		}
		prover := idle.Prover{Carrier: c, Agent: m.Agent}
		if proof, err := prover.Wait(ctx, name, waitIdle); err != nil {
			return notIdle(proof, err)
		}
	}
	receipt, err := session.Nudge(ctx, m)
	if err != nil {
		return input(receipt.Stage, err)
	}
	p.print(receipt, describe(receipt))
	return nil
}

func (p *program) receiptVerb() *cobra.Command {
	return p.verb("receipt NAME ID", "What became of a message: submitted, typed or unknown", 2, 2,
		func(ctx context.Context, args []string) error {
			if args[1] == "" {
				return usagef("an empty message ID")
			}
			session, err := p.session(args[0], "")
			if err != nil {
				return err
			}
			receipt, err := session.Receipt(ctx, args[1])
			if err != nil {
				return err
			}
			p.print(receipt, string(receipt.Stage))
			return nil
		})
}

// describe is a receipt for people.
func describe(r nudge.Receipt) string {
	s := fmt.Sprintf("%s, %s", r.Stage, r.Confirmed)
	if r.Sign != "" {
		s += ": " + r.Sign
	}
	if r.Execs > 0 {
		s += fmt.Sprintf(" (message %s, %s)", r.ID, execs(r.Execs))
	}
	return s
}

func execs(n int) string {
	if n == 1 {
		return "1 exec"
	}
	return fmt.Sprintf("%d execs", n)
}

// choice reads a flag that is one of a few words; "" is the zero value.
func choice[T ~string](flag, value string, words ...T) (T, error) {
	for _, w := range words {
		if value == string(w) {
			return w, nil
		}
	}
	if value == "" {
		return "", nil
	}
	return "", usagef("%s %q is none of %q", flag, value, words)
}

// notIdle gives the error of a proof the state that it saw.
func notIdle(proof idle.Proof, err error) error {
	if errors.Is(err, idle.ErrBusy) {
		return &stateError{proof, err}
	}
	return err
}
