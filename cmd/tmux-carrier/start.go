package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/gastownhall/tmux-carrier/carrier"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/session"
)

func (p *program) startVerb() *cobra.Command {
	var from startFlags
	var image string
	var cmd *cobra.Command
	cmd = p.verb("start NAME -- CMD...", "Start a box and its agent; prints the fence token", 1, more,
		func(ctx context.Context, args []string) error {
			name, command, err := nameAndCommand(cmd, args)
			if err != nil {
				return err
			}
			runtime, err := p.provider()
			if err != nil {
				return err
			}
			if image != "" {
				runtime.Env = withImage(image)
			}
			config, err := from.read(ctx, p, command)
			if err != nil {
				return err
			}
			done := p.progress("starting " + name)
			result, err := session.Start(ctx, p.options(runtime, name, config))
			done()
			return p.started(result, err)
		})
	from.register(cmd)
	cmd.Flags().StringVar(&image, "image", "", "what the docker runtime makes the box of (`IMAGE`)")
	return cmd
}

func (p *program) relaunchVerb() *cobra.Command {
	var from startFlags
	var cmd *cobra.Command
	cmd = p.verb("relaunch NAME -- CMD...", "A new agent in the warm box; prints the new fence token", 1, more,
		func(ctx context.Context, args []string) error {
			name, command, err := nameAndCommand(cmd, args)
			if err != nil {
				return err
			}
			runtime, err := p.provider()
			if err != nil {
				return err
			}
			config, err := from.read(ctx, p, command)
			if err != nil {
				return err
			}
			done := p.progress("relaunching " + name)
			result, err := session.Relaunch(ctx, p.options(runtime, name, config))
			done()
			return p.started(result, err)
		})
	cmd.Flags().StringVar(&from.config, "config", "", "gc's start config, a JSON `FILE`, or - for standard input")
	cmd.Flags().StringVar(&from.readyPrompt, "ready-prompt", "", "how the new agent's prompt begins (`PROMPT`)")
	return cmd
}

func (p *program) options(runtime *rpp.Provider, name string, config rpp.StartConfig) session.Options {
	return session.Options{
		Runtime: runtime,
		Carrier: &carrier.Carrier{Conn: runtime},
		Name:    name,
		Config:  config,
		Warn:    p.warn,
	}
}

// started shows a new incarnation: its token stands alone on the last line, and is not
// there at all where the runtime takes no fence.
func (p *program) started(r session.Result, err error) error {
	if err == nil {
		p.print(incarnation{r.Session, r.Token, r.Pane, r.PID}, string(r.Token))
	}
	return err
}

// nameAndCommand splits the arguments at --, so that no word of the command is taken
// for ours.
func nameAndCommand(cmd *cobra.Command, args []string) (name string, command []string, err error) {
	before, command := afterDash(cmd, args)
	if len(before) != 1 {
		return "", nil, usagef("tmux-carrier %s (the command stands behind --)", cmd.Use)
	}
	return before[0], command, nil
}
