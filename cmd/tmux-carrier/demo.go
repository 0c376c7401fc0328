package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"al.essio.dev/pkg/shellescape"
	"github.com/spf13/cobra"

	"github.com/gastownhall/tmux-carrier/carrier"
	"github.com/gastownhall/tmux-carrier/rpp"
)

func (p *program) demoVerb() *cobra.Command {
	return p.verb("demo", "A guided run of all this on an embedded agent, then cleans up", 0, 0,
		func(ctx context.Context, _ []string) error {
			if _, err := exec.LookPath("tmux"); err != nil {
				return fmt.Errorf("the demo needs tmux: %w (make demo installs it where it may; else your package manager does)", err)
			}
			dir, err := os.MkdirTemp(shortTemp(), "tc-demo-")
			if err != nil {
				return err
			}
			defer func() { _ = os.RemoveAll(dir) }()
			local, err := own("gc-session-tmux")
			if err != nil {
				return err
			}
			if err := p.tour(ctx, dir, local, localTour); err != nil {
				return err
			}
			script := filepath.Join(dir, "runtime.sh")
			if err := os.WriteFile(script, []byte(demoScript), 0o700); err != nil {
				return err
			}
			own, err := rpp.New("exec:" + script)
			if err != nil {
				return err
			}
			p.say("\nThe same over a runtime of your own, %d lines of shell:\n", strings.Count(demoScript, "\n"))
			if err := p.tour(ctx, dir, own, scriptTour); err != nil {
				return err
			}
			p.say("\nAll of it is gone again: boxes, agents and files.")
			return nil
		})
}

//go:embed demo.sh
var demoScript string

// shortTemp: a socket path has some 100 bytes, and TMPDIR may be deep.
func shortTemp() string {
	if dir := os.TempDir(); len(dir) < 56 {
		return dir
	}
	return "/tmp"
}

// say tells people what comes; JSON has the steps alone.
func (p *program) say(format string, args ...any) {
	if !p.json {
		fmt.Fprintf(p.out, format+"\n", args...)
	}
}

// A demo is one tour over one runtime.
type demo struct {
	p       *program
	dir     string
	runtime *rpp.Provider
	session *carrier.Session
	execs   execCounter
	logs    int
	log     string // of the agent that was started last
	took    int    // messages that its log had before the step
}

// tour shows the steps over a runtime, and ends the box whatever happened.
func (p *program) tour(ctx context.Context, dir string, runtime *rpp.Provider, steps func(context.Context, *demo) error) (err error) {
	d := &demo{p: p, dir: dir, runtime: runtime}
	runtime.Env = append(os.Environ(), "GC_EXEC_STATE_DIR="+filepath.Join(dir, "state"))
	runtime.Log = slog.New(&d.execs)
	d.session = (&carrier.Carrier{Conn: runtime}).Session("demo")
	defer func() {
		// Ctrl-C ends the tour, and not this.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		defer cancel()
		if _, stopErr := runtime.Stop(ctx, "demo"); stopErr != nil {
			err = errors.Join(err, stopErr)
		}
	}()
	return steps(ctx, d)
}

// step runs one verb, and shows it with its answer, its execs and its time.
func (d *demo) step(line string, verb func() (answer string, err error)) error {
	before, start := d.execs.Load(), time.Now()
	answer, err := verb()
	if err != nil {
		return fmt.Errorf("%s: %w", line, err)
	}
	took, n := time.Since(start), int(d.execs.Load()-before)
	d.p.print(struct {
		Step   string  `json:"step"`
		Answer string  `json:"answer"`
		Execs  int     `json:"execs"`
		MS     float64 `json:"ms"`
	}{line, answer, n, float64(took.Microseconds()) / 1000},
		fmt.Sprintf("  %-44s %-46s %8s %7d ms", line, printable(answer), execs(n), took.Milliseconds()))
	return nil
}

// command starts the demo's agent with a log of its own.
func (d *demo) command() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	d.logs++
	d.log = filepath.Join(d.dir, fmt.Sprintf("agent-%d.log", d.logs))
	d.took = 0
	return shellescape.QuoteCommand([]string{self, "demo-agent", "--busy", "1s", "--log", d.log}), nil
}

// execCounter counts the round trips to the box, as the provider logs them.
type execCounter struct{ atomic.Int64 }

func (c *execCounter) Enabled(context.Context, slog.Level) bool { return true }
func (c *execCounter) WithAttrs([]slog.Attr) slog.Handler       { return c }
func (c *execCounter) WithGroup(string) slog.Handler            { return c }

func (c *execCounter) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "op" && a.Value.String() == "exec" {
			c.Add(1)
		}
		return a.Key != "op"
	})
	return nil
}
