package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gastownhall/tmux-carrier/fence"
)

func (p *program) fenceVerb() *cobra.Command {
	var set fence.Token
	var clear bool
	cmd := p.verb("fence NAME", "The fence on the agent pane, its pane and process", 1, 1,
		func(ctx context.Context, args []string) error {
			if set != "" && clear {
				return usagef("--set and --clear exclude each other")
			}
			c, err := p.carrier()
			if err != nil {
				return err
			}
			var state fence.State
			switch {
			case set != "":
				if state, err = fence.Publish(ctx, c.Door(), args[0], set); err != nil {
					return err
				}
			case clear:
				if state, err = fence.Clear(ctx, c.Door(), args[0]); err != nil {
					return err
				}
				state.Token = "" // it gave what was there before
			default:
				if state, err = fence.Read(ctx, c.Door(), args[0]); err != nil {
					return err
				}
			}
			p.print(incarnation{args[0], state.Token, state.Pane, state.PID},
				fmt.Sprintf("%s %s %d", or(string(state.Token), "-"), state.Pane, state.PID))
			return nil
		})
	cmd.Flags().Var((*tokenFlag)(&set), "set", "publish this `TOKEN`")
	cmd.Flags().BoolVar(&clear, "clear", false, "take the fence away")
	return cmd
}

// incarnation is one run of an agent, as start, relaunch and fence show it.
type incarnation struct {
	Session string      `json:"session"`
	Token   fence.Token `json:"token"` // "": none
	Pane    string      `json:"pane"`
	PID     int         `json:"pid"` // 0: not known
}
