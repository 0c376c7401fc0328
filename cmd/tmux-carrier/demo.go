package main

import (
	"context"

	"github.com/spf13/cobra"
)

func (p *program) demoVerb() *cobra.Command {
	return p.verb("demo", "A guided run of all this on an embedded agent, which cleans up", 0, 0,
		func(ctx context.Context, _ []string) error {
			return nil
		})
}
