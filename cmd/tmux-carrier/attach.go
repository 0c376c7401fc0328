package main

import (
	"context"

	"github.com/spf13/cobra"
)

func (p *program) attachVerb() *cobra.Command {
	return p.verb("attach NAME", "Your terminal in the session", 1, 1,
		func(ctx context.Context, args []string) error {
			runtime, err := p.provider()
			if err != nil {
				return err
			}
			handled, err := runtime.Attach(ctx, args[0])
			if err == nil && !handled {
				return unsupported("attach")
			}
			return err
		})
}
