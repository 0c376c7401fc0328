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
	var fenced fence.Token
	cmd := p.verb("keys NAME KEY...", "Press keys by tmux's names; no Enter is added", 2, more,
		func(ctx context.Context, args []string) error {
			return p.press(ctx, args[0], "", fenced, args[1:])
		})
	fenceFlag(cmd, &fenced)
	return cmd
}

func (p *program) interruptVerb() *cobra.Command {
	var fenced fence.Token
	var agent string
	cmd := p.verb("interrupt NAME", "Stop the agent's turn with the agent's own keys; says which", 1, 1,
		func(ctx context.Context, args []string) error {
			return p.press(ctx, args[0], agent, fenced, nil)
		})
	fenceFlag(cmd, &fenced)
	agentFlag(cmd, &agent)
	return cmd
}

// press presses keys, or the agent's own for an interrupt.
func (p *program) press(ctx context.Context, name, agent string, fenced fence.Token, keys []string) error {
	if err := agentName(agent); err != nil {
		return err
	}
	session, err := p.session(name, agent)
	if err != nil {
		return err
	}
	var pressed nudge.Pressed
	if keys != nil {
		pressed, err = session.Keys(ctx, nudge.Keys{Keys: keys, Fence: fenced})
	} else {
		pressed, err = session.Interrupt(ctx, fenced)
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

func fenceFlag(cmd *cobra.Command, t *fence.Token) {
	cmd.Flags().Var((*tokenFlag)(t), "fence", "only to the incarnation that holds this `TOKEN`")
}

// tokenFlag refuses what is no token, and an empty one first of all: `--fence "$TOKEN"` of
// an unset variable would type to whoever is there.
type tokenFlag fence.Token

func (f *tokenFlag) String() string { return string(*f) }
func (f *tokenFlag) Type() string   { return "string" }

func (f *tokenFlag) Set(s string) error {
	t, err := fence.ParseToken(s)
	*f = tokenFlag(t)
	return err
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
