package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gastownhall/tmux-carrier/prompt"
)

func (p *program) screenVerb() *cobra.Command {
	var options prompt.Options
	var title, cursor, index string
	var score bool
	cmd := p.verb("screen FILE...", "What saved captures show; - is standard input", 0, more,
		func(ctx context.Context, files []string) error {
			if err := agentName(options.Agent); err != nil {
				return err
			}
			if index != "" {
				if len(files) > 0 || title != "" || cursor != "" {
					return usagef("--index names the files, their titles and cursors itself")
				}
				return p.screenIndex(index, options, score)
			}
			if score || len(files) == 0 {
				return usagef("tmux-carrier screen FILE... | --index INDEX.tsv [--score]")
			}
			seen := prompt.Observation{Title: title}
			if err := parseCursor(cursor, &seen); err != nil {
				return err
			}
			for _, file := range files {
				if err := p.screenFile(ctx, file, seen, options); err != nil {
					return err
				}
			}
			return nil
		})
	cmd.ValidArgsFunction = nil
	agentFlag(cmd, &options.Agent)
	cmd.Flags().StringVar(&options.ReadyPrompt, "ready-prompt", "", "the session's ready `PROMPT`")
	cmd.Flags().StringVar(&title, "title", "", "the pane's `TITLE`")
	cmd.Flags().StringVar(&cursor, "cursor", "", "where the cursor stood, `X,Y` from 0 at the top left of the screen")
	cmd.Flags().StringVar(&index, "index", "", "the captures of this INDEX.tsv `FILE`, with what it notes of them")
	cmd.Flags().BoolVar(&score, "score", false, "with --index: how many were right, by agent and version")
	return cmd
}

func parseCursor(s string, o *prompt.Observation) error {
	if s == "" {
		return nil
	}
	x, y, _ := strings.Cut(s, ",")
	var errX, errY error
	o.CursorX, errX = strconv.Atoi(x)
	o.CursorY, errY = strconv.Atoi(y)
	if errX != nil || errY != nil || o.CursorX < 0 || o.CursorY < 0 {
		return usagef("--cursor %q: two numbers are wanted, as in 2,37", s)
	}
	o.CursorKnown = true
	return nil
}

func (p *program) screenFile(ctx context.Context, file string, seen prompt.Observation, options prompt.Options) error {
	var err error
	if seen.Screen, err = p.readFile(ctx, file); err != nil {
		return err
	}
	if seen.CursorKnown {
		// Counted from the top of the screen, which the file is taken to be.
		seen.Height = max(strings.Count(seen.Screen, "\n"), seen.CursorY+1)
	}
	p.printScreen(file, prompt.Classify(seen, options))
	return nil
}

// readFile reads a file, or standard input for -.
func (p *program) readFile(ctx context.Context, file string) (string, error) {
	if file == "-" {
		return p.readAll(ctx)
	}
	data, err := os.ReadFile(file)
	return string(data), err
}

func (p *program) screenIndex(index string, options prompt.Options, score bool) error {
	captures, err := prompt.ReadIndex(index)
	if err != nil {
		return err
	}
	if score {
		return p.score(captures)
	}
	for _, c := range captures {
		p.printScreen(c.File, prompt.Classify(c.Seen, options))
	}
	return nil
}

// score prints the rates of all captures, the agent found as it must be in a pane.
func (p *program) score(captures []prompt.Capture) error {
	s := prompt.Rate(captures, false)
	if !p.json {
		return s.Write(p.out)
	}
	for _, row := range append(s.Rows, s.Total()) {
		printJSON(p.out, row)
	}
	return nil
}

func (p *program) printScreen(file string, v prompt.Verdict) {
	if p.json {
		printJSON(p.out, struct {
			File  string `json:"file"`
			State string `json:"state"`
			Sign  string `json:"sign"`
			Line  string `json:"line"`
			Agent string `json:"agent"`
		}{file, v.Kind.String(), sign(v), v.Line, v.Agent})
		return
	}
	_, _ = io.WriteString(p.out, fmt.Sprintf("%s: %s\n", file, printable(v.String())))
}
