package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/sleep"
)

func (p *program) attachVerb() *cobra.Command {
	var wake wakeFlags
	cmd := p.verb("attach NAME", "Your terminal in the session", 1, 1,
		func(ctx context.Context, args []string) error {
			if err := wake.up(ctx, p, args[0], sleep.Attach, false); err != nil {
				return err
			}
			runtime, err := p.provider()
			if err != nil {
				return err
			}
			handled, err := runtime.Attach(ctx, args[0])
			switch {
			case err == nil && !handled:
				return unsupported("attach")
			case err == nil || ctx.Err() != nil:
				return err
			}
			// The operation's exit code does not tell an absent session from another reason.
			if running, unknown := runtime.IsRunning(ctx, args[0]); unknown == nil && !running {
				return fmt.Errorf("session %q: %w", args[0], box.ErrAbsent)
			}
			return err
		})
	wake.register(cmd)
	return cmd
}
