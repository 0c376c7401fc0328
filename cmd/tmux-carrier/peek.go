package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/gastownhall/tmux-carrier/carrier"
)

func (p *program) peekVerb() *cobra.Command {
	var view carrier.View
	cmd := p.verb("peek NAME", "Show the screen, and lines above it", 1, 1,
		func(ctx context.Context, args []string) error {
			if view.Lines < 0 || view.Tail < 0 {
				return usagef("--lines and --tail count from 0")
			}
			session, err := p.session(args[0], "")
			if err != nil {
				return err
			}
			text, err := session.Peek(ctx, view)
			if err != nil {
				return err
			}
			p.print(struct {
				Session string `json:"session"`
				Text    string `json:"text"`
			}{args[0], text}, text)
			return nil
		})
	cmd.Flags().IntVar(&view.Lines, "lines", 0, "so many `N` lines of history above the screen")
	cmd.Flags().IntVar(&view.Tail, "tail", 0, "only the last `N` lines, without the blank ones that end the screen")
	cmd.Flags().BoolVar(&view.Styled, "ansi", false, "with colours, and safe for a terminal")
	return cmd
}

func (p *program) clearVerb() *cobra.Command {
	return p.verb("clear NAME", "Clear the scrollback", 1, 1,
		func(ctx context.Context, args []string) error {
			session, err := p.session(args[0], "")
			if err != nil {
				return err
			}
			if err := session.ClearScrollback(ctx); err != nil {
				return err
			}
			p.print(named{args[0]}, "")
			return nil
		})
}

// named is the answer of a verb that has nothing more to say.
type named struct {
	Session string `json:"session"`
}
