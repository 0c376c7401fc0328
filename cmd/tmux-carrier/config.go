package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"al.essio.dev/pkg/shellescape"
	"github.com/spf13/cobra"

	"github.com/gastownhall/tmux-carrier/rpp"
)

// startFlags are the ways to say how a session starts: gc's start config, and flags
// that win over it.
type startFlags struct {
	config      string
	workDir     string
	env         []string
	readyPrompt string
}

func (f *startFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.config, "config", "", "gc's start config, a JSON `FILE`, or - for standard input; unknown keys go to the runtime")
	flags.StringVar(&f.workDir, "work-dir", "", "the agent's working directory (`DIR`)")
	flags.StringArrayVar(&f.env, "env", nil, "`K=V` in the agent's environment; K= unsets K (a secret is better kept in --config)")
	flags.StringVar(&f.readyPrompt, "ready-prompt", "", "how the agent's prompt begins, if it is not one that is known (`PROMPT`)")
}

// read makes the start config of the flags and the command.
func (f *startFlags) read(ctx context.Context, p *program, command []string) (rpp.StartConfig, error) {
	var c rpp.StartConfig
	if f.config != "" {
		text, err := p.readFile(ctx, f.config)
		if err != nil {
			return c, usagef("--config: %v", err)
		}
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			return c, usagef("--config %s: not a start config: %v", f.config, err)
		}
	}
	if f.workDir != "" {
		dir, err := filepath.Abs(f.workDir)
		if err != nil {
			return c, fmt.Errorf("--work-dir: %w", err)
		}
		c.WorkDir = dir
	}
	env := maps.Clone(c.Env)
	if env == nil {
		env = map[string]string{}
	}
	for _, entry := range f.env {
		key, value, ok := strings.Cut(entry, "=")
		if !ok || key == "" {
			// Not the entry: a value may stand in it.
			return c, usagef("--env takes K=V; K= unsets K")
		}
		env[key] = value
	}
	c.Env = env
	if f.readyPrompt != "" {
		c.ReadyPromptPrefix = f.readyPrompt
	}
	if len(command) > 0 {
		c.Command = commandLine(command)
	}
	if c.Command == "" {
		return c, usagef("a command is wanted: -- CMD..., or command in --config")
	}
	return c, nil
}

// commandLine is what the runtime's shell gets: several words are quoted, a single one
// is a command line by itself.
func commandLine(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return shellescape.QuoteCommand(words)
}

// afterDash gives the words before and after --.
func afterDash(cmd *cobra.Command, args []string) (before, after []string) {
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		return args[:at], args[at:]
	}
	return args, nil
}
