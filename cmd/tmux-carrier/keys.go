package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/nudge"
	"github.com/gastownhall/tmux-carrier/prompt"
)

func (p *program) keysVerb() *cobra.Command {
	var fenced string
	cmd := p.verb("keys NAME KEY...", "Press keys by tmux's names; no Enter is added", 2, more,
		func(ctx context.Context, args []string) error {
			return p.press(ctx, args[0], "", fenced, func(t fence.Token) nudge.Keys {
				return nudge.Keys{Keys: args[1:], Fence: t}
			})
		})
	fenceFlag(cmd, &fenced)
	return cmd
}

func (p *program) interruptVerb() *cobra.Command {
	var fenced, agent string
	cmd := p.verb("interrupt NAME", "Stop the agent's turn with the agent's own keys; says which", 1, 1,
		func(ctx context.Context, args []string) error {
			return p.press(ctx, args[0], agent, fenced, nil)
		})
	fenceFlag(cmd, &fenced)
	agentFlag(cmd, &agent)
	return cmd
}

// press presses keys, or the agent's own for an interrupt.
func (p *program) press(ctx context.Context, name, agent, fenced string, keys func(fence.Token) nudge.Keys) error {
	var t fence.Token
	if fenced != "" {
		var err error
		if t, err = token(fenced); err != nil {
			return err
		}
	}
	if err := agentName(agent); err != nil {
		return err
	}
	session, err := p.session(name, agent)
	if err != nil {
		return err
	}
	var pressed nudge.Pressed
	if keys != nil {
		pressed, err = session.Keys(ctx, keys(t))
	} else {
		pressed, err = session.Interrupt(ctx, t)
	}
	if err != nil {
		return input(pressed.Stage, err)
	}
	if pressed.Keys == nil {
		pressed.Keys = []string{} // the runtime's own interrupt does not say
	}
	text := fmt.Sprintf("%s: %s", pressed.Stage, strings.Join(pressed.Keys, " "))
	if pressed.Agent != "" {
		text += " (" + pressed.Agent + ")"
	}
	p.print(pressed, text)
	return nil
}

func fenceFlag(cmd *cobra.Command, t *string) {
	cmd.Flags().StringVar(t, "fence", "", "only to the incarnation that holds this `TOKEN`")
}

func agentFlag(cmd *cobra.Command, agent *string) {
	var names []string
	for _, profile := range prompt.Profiles() {
		names = append(names, profile.Name)
	}
	cmd.Flags().StringVar(agent, "agent", "", "which agent it is, if the screen should not tell: "+strings.Join(names, ", "))
	_ = cmd.RegisterFlagCompletionFunc("agent", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

func agentName(name string) error {
	if name != "" && prompt.Lookup(name) == nil {
		return usagef("--agent %q: no such agent is known", name)
	}
	return nil
}
