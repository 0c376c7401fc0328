package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/gastownhall/tmux-carrier/session"
)

func (p *program) stopVerb() *cobra.Command {
	return p.verb("stop NAME...", "Stop sessions and their boxes; an absent one is done", 1, more,
		func(ctx context.Context, names []string) error {
			runtime, err := p.provider()
			if err != nil {
				return err
			}
			var failures []error
			for _, name := range names {
				done := p.progress("stopping " + name)
				err := session.Stop(ctx, runtime, name)
				done()
				if err != nil {
					failures = append(failures, err)
				} else {
					p.print(named{name}, "")
				}
			}
			return errors.Join(failures...)
		})
}
