package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/session"
)

func (p *program) dialogsVerb() *cobra.Command {
	var dismiss bool
	cmd := p.verb("dialogs NAME", "Known dialogs on the screen", 1, 1,
		func(ctx context.Context, args []string) error {
			runtime, err := p.provider()
			if err != nil {
				return err
			}
			reports, err := session.Dialogs(ctx, p.options(runtime, args[0], rpp.StartConfig{}), dismiss)
			for _, r := range reports {
				text := fmt.Sprintf("%s %s: %s", r.Agent, r.Dialog, r.Outcome)
				if r.Answer != "" {
					text += fmt.Sprintf(" (our answer: %s)", r.Answer)
				}
				p.print(r, printable(text))
			}
			return err
		})
	cmd.Flags().BoolVar(&dismiss, "dismiss", false, "answer those that are known to be answered at a start")
	return cmd
}
