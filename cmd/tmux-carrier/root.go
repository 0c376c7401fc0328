package main

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
)

// program is what the verbs share: the standard streams, and the flags of all verbs.
type program struct {
	in       io.Reader
	out, err io.Writer

	json    bool
	runtime string

	execs sync.WaitGroup // under way
}

// execute runs the verb that args name and returns the exit code.
func execute(ctx context.Context, p *program, args []string) int {
	root := p.root()
	root.SetArgs(args)
	// A wrong flag ends the parsing before --json was seen, and its error is JSON too.
	p.json = slices.Contains(flagsOf(args), "--json")
	err := root.ExecuteContext(ctx)
	p.settle()
	if err != nil {
		return p.fail(ctx, err)
	}
	return 0
}

// flagsOf are the arguments that may be flags.
func flagsOf(args []string) []string {
	if end := slices.Index(args, "--"); end >= 0 {
		return args[:end]
	}
	return args
}

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "tmux-carrier VERB",
		Short: "Drive agents in tmux, in any box that can exec",
		Long: `tmux-carrier starts agents in boxes, types to them, looks at them and puts them to
sleep. A box is what a runtime makes: a directory of this machine, a container, or
whatever an executable of the Runtime Provider Protocol reaches.`,
		Example: `  tmux-carrier demo
  tmux-carrier start worker -- claude
  tmux-carrier nudge worker "Fix the failing test"
  tmux-carrier peek worker`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("there is no verb %q (tmux-carrier --help lists them)", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.SetOut(p.err)
			_ = cmd.Help()
			return usagef("a verb is wanted")
		},
	}
	root.SetUsageTemplate(usageTemplate)
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%s: %v", cmd.Name(), err)
	})
	flags := root.PersistentFlags()
	flags.BoolVar(&p.json, "json", false, "print JSON: one object, or one a line; errors too")
	flags.StringVar(&p.runtime, "runtime", "", "local, docker, or exec:`PATH` (default $GC_SESSION, else local)")
	_ = root.RegisterFlagCompletionFunc("runtime", cobra.FixedCompletions([]string{"local", "docker", "exec:"}, cobra.ShellCompDirectiveNoSpace))

	root.AddCommand(
		p.startVerb(), p.relaunchVerb(), p.stopVerb(), p.lsVerb(),
		p.nudgeVerb(), p.receiptVerb(), p.keysVerb(), p.interruptVerb(),
		p.peekVerb(), p.clearVerb(), p.idleVerb(), p.screenVerb(), p.dialogsVerb(),
		p.fenceVerb(), p.attachVerb(), p.sleepVerb(), p.wakeVerb(), p.demoVerb(), p.versionVerb(),
	)
	return root
}

// verb makes the command of one verb. use is its synopsis; from and to say how many
// arguments it takes, and a to below from means any number more.
func (p *program) verb(use, short string, from, to int, run func(ctx context.Context, args []string) error) *cobra.Command {
	return &cobra.Command{
		Use:   use,
		Short: short,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) < from:
				return usagef("too few words: tmux-carrier %s", use)
			case to >= from && len(args) > to:
				return usagef("%q is too much: tmux-carrier %s", args[to], use)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), args) },
		// A session's name is the first argument of nearly all verbs.
		ValidArgsFunction: func(cmd *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
			if !strings.Contains(use, "NAME") || len(args) > 0 && !strings.Contains(use, "NAME...") {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return p.names(cmd.Context(), start), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// more: any number of arguments.
const more = -1

// usageTemplate is cobra's, less what it says twice.
const usageTemplate = `Usage: {{if .HasParent}}{{.UseLine}}{{else}}tmux-carrier VERB [flags]{{end}}
{{- if .HasExample}}

Examples:
{{.Example}}{{end}}{{if .HasAvailableSubCommands}}

Verbs:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableInheritedFlags}}

Flags of all verbs:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}
`
