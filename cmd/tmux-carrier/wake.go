package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/sleep"
)

func (p *program) wakeVerb() *cobra.Command {
	var from sleepFlags
	cmd := p.verb("wake NAME", "Start a sleeping session; prints its fence token", 1, 1,
		func(ctx context.Context, args []string) error {
			a, err := from.read(p)
			if err != nil {
				return err
			}
			if err := a.wake(ctx, p, args[0], sleep.Explicit); err != nil {
				return err
			}
			c, err := p.carrier()
			if err != nil {
				return err
			}
			up := incarnation{Session: args[0]}
			if fence.Supported(ctx, c.Door()) {
				state, err := fence.Read(ctx, c.Door(), args[0])
				if err != nil { // it is up all the same
					p.warn("its fence cannot be read: " + err.Error())
				}
				up = incarnation{args[0], state.Token, state.Pane, state.PID}
			}
			p.print(up, string(up.Token))
			return nil
		})
	cmd.Long = `wake has a session up that sleep has put to sleep, and keeps it up for a minute
at least. The controller that works on the same --state does it; without one, wake
starts the session itself. A session that is up is not touched.`
	from.register(cmd)
	return cmd
}
