package agent

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"
)

// Main runs an agent on standard input and output with the flags in args, and
// returns the exit status.
func Main(args []string) int {
	var o Options
	flags := flag.NewFlagSet("demo-agent", flag.ContinueOnError)
	o.flags(flags)
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 64
	case flags.NArg() > 0:
		fmt.Fprintf(os.Stderr, "demo-agent: unexpected argument %q\n", flags.Arg(0))
		return 64
	}
	err := Run(context.Background(), o, os.Stdin, os.Stdout)
	var exit *ExitError
	switch {
	case errors.As(err, &exit):
		return exit.Code
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func (o *Options) flags(f *flag.FlagSet) {
	f.StringVar(&o.Log, "log", "", "append what is read, taken and done to this `file`, as JSON lines")
	f.StringVar(&o.Prompt, "prompt", "❯ ", "the composer's prompt")
	f.BoolVar(&o.NBSP, "nbsp", false, "the prompt ends in U+00A0")
	f.StringVar(&o.Placeholder, "placeholder", "", "`text` shown in an empty composer")
	f.StringVar(&o.Draft, "draft", "", "`text` in the composer from the start")
	f.BoolVar(&o.Alternate, "alternate", false, "use the alternate screen")
	f.StringVar(&o.Title, "title", "", "set the pane's title, with a spinner while busy")
	f.StringVar(&o.BusySign, "busy-sign", "", "where a turn shows: footer, above or none")
	wait(f, &o.Busy, "busy", 300*time.Millisecond, "how long a turn takes")
	wait(f, &o.Lag, "lag", 30*time.Millisecond, "how long after Enter the busy sign shows")
	f.BoolVar(&o.Restore, "restore", false, "an interrupted message returns to the composer")
	wait(f, &o.Burst, "burst", 40*time.Millisecond, "an Enter so soon after a burst of input is a newline; 0: never")
	f.DurationVar(&o.PerKiB, "per-kib", 0, "how long a KiB of input takes")
	f.BoolVar(&o.NoBrackets, "no-brackets", false, "do not turn bracketed paste on")
	f.BoolVar(&o.Placeholders, "placeholders", false, "show long pastes as a placeholder")
	f.BoolVar(&o.Traps, "traps", false, `a draft ending in \, or starting with ! or /, is not a message`)
	f.DurationVar(&o.StartDelay, "start-delay", 0, "draw nothing and lose input for so long")
	f.DurationVar(&o.DeafFor, "deaf-for", 0, "show the prompt and read nothing for so long")
	f.BoolVar(&o.Trust, "trust", false, "start with a trust dialog")
	f.BoolVar(&o.DialogStart, "dialog-at-start", false, "start with a permission dialog")
	f.BoolVar(&o.DialogInput, "dialog-on-input", false, "show a permission dialog at the first text")
	f.StringVar(&o.CtrlC, "ctrl-c", "", "what C-c does: second, never, first, menu or ignore")
	f.StringVar(&o.Escape, "escape", "", "what Escape does: interrupt, twice, exit or ignore")
	f.BoolVar(&o.IgnoreSignals, "ignore-signals", false, "ignore HUP and TERM, and outlive the terminal")
}

// wait is a duration flag of which 0 means none, where the field's zero value
// means the default.
func wait(f *flag.FlagSet, d *time.Duration, name string, zero time.Duration, usage string) {
	f.Func(name, fmt.Sprintf("%s (default %v)", usage, zero), func(s string) (err error) {
		if *d, err = time.ParseDuration(s); *d == 0 {
			*d = -1
		}
		return err
	})
}
