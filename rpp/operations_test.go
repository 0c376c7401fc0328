package rpp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func itoa(n int) string { return strconv.Itoa(n) }

// all runs each operation once; the answer is what its method returned beside
// the error.
var all = map[string]func(context.Context, *Provider) (any, error){
	"start": func(ctx context.Context, p *Provider) (any, error) { return "", p.Start(ctx, "s", StartConfig{}) },
	"provision": func(ctx context.Context, p *Provider) (any, error) {
		return any2(p.Provision(ctx, "s", StartConfig{}))
	},
	"stop":             func(ctx context.Context, p *Provider) (any, error) { return any2(p.Stop(ctx, "s")) },
	"interrupt":        func(ctx context.Context, p *Provider) (any, error) { return any2(p.Interrupt(ctx, "s")) },
	"is-running":       func(ctx context.Context, p *Provider) (any, error) { return any2(p.IsRunning(ctx, "s")) },
	"attach":           func(ctx context.Context, p *Provider) (any, error) { return any2(p.Attach(ctx, "s")) },
	"process-alive":    func(ctx context.Context, p *Provider) (any, error) { return any2(p.ProcessAlive(ctx, "s", nil)) },
	"nudge":            func(ctx context.Context, p *Provider) (any, error) { return any2(p.Nudge(ctx, "s", "hi")) },
	"send-keys":        func(ctx context.Context, p *Provider) (any, error) { return any2(p.SendKeys(ctx, "s", "Enter")) },
	"clear-scrollback": func(ctx context.Context, p *Provider) (any, error) { return any2(p.ClearScrollback(ctx, "s")) },
	"set-meta":         func(ctx context.Context, p *Provider) (any, error) { return any2(p.SetMeta(ctx, "s", "k", "v")) },
	"get-meta":         func(ctx context.Context, p *Provider) (any, error) { return any2(p.GetMeta(ctx, "s", "k")) },
	"remove-meta":      func(ctx context.Context, p *Provider) (any, error) { return any2(p.RemoveMeta(ctx, "s", "k")) },
	"list-running": func(ctx context.Context, p *Provider) (any, error) {
		names, err := p.ListRunning(ctx, "")
		return len(names), err
	},
	"get-last-activity": func(ctx context.Context, p *Provider) (any, error) {
		at, err := p.LastActivity(ctx, "s")
		return at.IsZero(), err
	},
	"is-attached": func(ctx context.Context, p *Provider) (any, error) { return any2(p.IsAttached(ctx, "s")) },
	"copy-to":     func(ctx context.Context, p *Provider) (any, error) { return any2(p.CopyTo(ctx, "s", "a", "b")) },
	"check-image": func(ctx context.Context, p *Provider) (any, error) { return any2(p.CheckImage(ctx, "img:1")) },
	"peek": func(ctx context.Context, p *Provider) (any, error) {
		_, handled, err := p.Peek(ctx, "s", 5)
		return handled, err
	},
	"watch-startup": func(ctx context.Context, p *Provider) (any, error) {
		return any2(p.WatchStartup(ctx, "s", func(string) error { return nil }))
	},
	"exec": func(ctx context.Context, p *Provider) (any, error) {
		_, code, err := p.Exec(ctx, "s", []string{"x"})
		return code, err
	},
}

func any2[T any](v T, err error) (any, error) { return v, err }

// RPP-2, RPP-8, RPP-10, RPP-11, CAR-2: every code of every operation, silent,
// declared and not. The words: the answer, then "fails" with the exit code.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	declared := `["proc.exec","proc.provision","report-attachment","report-activity"]`
	// What an operation is expected to answer to exit 0 (nothing printed), 2 without
	// and with the declaration; every other end is a failure, unless it is exec.
	expect := map[string][3]string{
		"start":     {" <nil>", " fails 2", " fails 2"},
		"provision": {"true <nil>", "false <nil>", "false fails 2"},
		// A question without an answer is a failure...
		"is-running":  {"false neither", "false fails 2", "false fails 2"},
		"is-attached": {"true neither", "", "true fails 2"},
		// ... but where the protocol says how it reads.
		"process-alive":     {"true <nil>", "true <nil>", "true <nil>"},
		"get-meta":          {" <nil>", " <nil>", " <nil>"},
		"list-running":      {"0 <nil>", "0 <nil>", "0 <nil>"},
		"get-last-activity": {"true <nil>", "true <nil>", "true <nil>"},
		"exec":              {"0 <nil>", "2 <nil>", "2 <nil>"},
	}
	ends := []string{"0", "1", "2", "3", "75", "126", "255", "KILL"}
	for op, run := range all {
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			for _, capabilities := range []string{"[]", declared} {
				for _, end := range ends {
					exit := "exit " + end
					if end == "KILL" {
						exit = "kill -KILL $$"
					}
					p := script(t, `[ "$1" = protocol ] && echo '{"capabilities":`+capabilities+`}' && exit; `+exit)
					answer, err := run(t.Context(), p)
					got := fmt.Sprint(answer, " ", outcome(err))

					want, ok := expect[op]
					if !ok {
						want = [3]string{"true <nil>", "false <nil>", "false <nil>"}
					}
					w := ""
					switch {
					case op == "is-attached" && capabilities == "[]":
						w = "false <nil>" // not run at all
					case end == "0":
						w = want[0]
					case end == "2" && capabilities == "[]":
						w = want[1]
					case end == "2":
						w = want[2]
					case op == "exec" && end != "KILL":
						w = end + " <nil>"
					case op == "start" && end == "75":
						w = " fails 75 temporary"
					default:
						w = zero(answer, op) + " fails " + strings.Replace(end, "KILL", "-1 signal 9", 1)
					}
					if got != w {
						t.Errorf("exit %s, capabilities %s: got %q, want %q", end, capabilities, got, w)
					}
				}
			}
		})
	}
}

// zero is the answer beside a failure.
func zero(answer any, op string) string {
	if op == "is-attached" || op == "get-last-activity" { // attached; no time
		return "true"
	}
	return fmt.Sprint(reflect.Zero(reflect.TypeOf(answer)))
}

func outcome(err error) string {
	var e *OpError
	switch {
	case err == nil:
		return "<nil>"
	case !errors.As(err, &e):
		return "neither"
	}
	s := fmt.Sprintf("fails %d", e.Code)
	if e.Signal != 0 {
		s += fmt.Sprintf(" signal %d", e.Signal)
	}
	if errors.Is(err, ErrTemporary) {
		s += " temporary"
	}
	if errors.Is(err, ErrExists) {
		s += " exists"
	}
	return s
}

// RPP-8: the name is taken, in any case, with any code of its own.
func TestStartExists(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ body, want string }{
		{`echo 'session s already exists' >&2; exit 1`, "fails 1 exists"},
		{`echo 'Already Running' >&2; exit 2`, "fails 2 exists"},
		{`echo 'ALREADY EXISTS' >&2; exit 75`, "fails 75 exists"},
		{`echo 'already exists' >&2; exit 0`, "<nil>"},
		{`echo 'already exists'; exit 1`, "fails 1"}, // on standard output
		{`echo 'already exists' >&2; kill -KILL $$`, "fails -1 signal 9"},
		{`echo 'quota' >&2; exit 75`, "fails 75 temporary"},
	} {
		p := script(t, tt.body)
		if got := outcome(p.Start(t.Context(), "s", StartConfig{})); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.body, got, tt.want)
		}
	}
	p := script(t, `echo 'already exists' >&2; exit 1`)
	if _, err := p.Stop(t.Context(), "s"); errors.Is(err, ErrExists) {
		t.Error("stop knows no ErrExists")
	}
}

// RPP-10, RPP-11: answers.
func TestAnswers(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	says := func(out string) *Provider {
		return script(t, `if [ "$1" = protocol ]; then echo '{"capabilities":["report-attachment"]}'; else printf '`+out+`'; fi`)
	}
	for out, want := range map[string]string{
		`true\n`: "true <nil>", ` true \r\n`: "true <nil>", `false\n`: "false <nil>",
	} {
		p := says(out)
		for _, op := range []string{"is-running", "is-attached", "process-alive"} {
			answer, err := all[op](ctx, p)
			if got := fmt.Sprint(answer, " ", err); got != want {
				t.Errorf("%s, %q: got %q", op, out, got)
			}
		}
	}
	if yes, err := says(`yes\n`).IsAttached(ctx, "s"); !yes || err == nil {
		t.Errorf("is-attached, garbage: %v, %v; want attached, cannot tell", yes, err)
	}
	for out, want := range map[string]string{
		`2026-01-02T03:04:05Z\n`:           "2026-01-02T03:04:05Z",
		`2026-01-02T03:04:05.5+01:00`:      "2026-01-02T02:04:05.5Z",
		``:                                 "0001-01-01T00:00:00Z",
		`yesterday\n`:                      "0001-01-01T00:00:00Z",
		`1767323045\n`:                     "0001-01-01T00:00:00Z",
		`2026-01-02T03:04:05Z and more\n`:  "0001-01-01T00:00:00Z",
		`2026-01-02T03:04:05Z\n2026-01-02`: "0001-01-01T00:00:00Z",
	} {
		at, err := says(out).LastActivity(ctx, "s")
		if got := at.UTC().Format(time.RFC3339Nano); got != want || err != nil {
			t.Errorf("get-last-activity %q: got %v, %v", out, got, err)
		}
	}
	for out, want := range map[string]string{`v\n`: "v", `v`: "v", `v\n\n`: "v\n", ``: "", `\n`: "", ` a b `: " a b "} {
		if got, err := says(out).GetMeta(ctx, "s", "k"); got != want || err != nil {
			t.Errorf("get-meta %q: got %q, %v", out, got, err)
		}
	}
	if got, err := says(`b\na\n\nc d\r\n`).ListRunning(ctx, ""); err != nil || !reflect.DeepEqual(got, []string{"b", "a", "c d"}) {
		t.Errorf("list-running: %q, %v", got, err)
	}
}

// RPP-10: without the declaration is-attached is not even run.
func TestIsAttachedNotAsked(t *testing.T) {
	t.Parallel()
	for _, shake := range []string{`exit 2`, `exit 1`, `echo '{'`, `echo '{"capabilities":["proc.exec"]}'`} {
		p := script(t, `[ "$1" = protocol ] && { `+shake+`; exit; }; echo >$DIR/asked; echo true`)
		if yes, err := p.IsAttached(t.Context(), "s"); yes || err != nil {
			t.Errorf("%s: got %v, %v", shake, yes, err)
		}
		if _, err := os.Stat(filepath.Join(p.Dir, "asked")); err == nil {
			t.Errorf("%s: it was asked", shake)
		}
	}
	// Whether it is declared cannot be told: then neither can this.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if yes, err := script(t, "exit 2").IsAttached(ctx, "s"); !yes || !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: got %v, %v", yes, err)
	}
	if yes, err := script(t, "kill -KILL $$").IsAttached(t.Context(), "s"); !yes || err == nil {
		t.Errorf("killed handshake: got %v, %v", yes, err)
	}
}

// RPP-1: the executable gets its arguments as they are, without a shell.
func TestArguments(t *testing.T) {
	t.Parallel()
	p := script(t, `for a; do printf '<%s>' "$a" >>$DIR/args; done; cat >$DIR/stdin`)
	odd := "a b'$(id)\"*;"
	ctx := t.Context()
	for _, tt := range []struct {
		run         func() error
		args, stdin string
	}{
		{func() error { _, err := p.SendKeys(ctx, odd, "C-c", "-x", ""); return err }, "<send-keys><" + odd + "><C-c><-x><>", ""},
		{func() error { _, err := p.SetMeta(ctx, "é", "k", "v\n"); return err }, "<set-meta><é><k>", "v\n"},
		{func() error { _, err := p.Nudge(ctx, "s", "-hi;\n"); return err }, "<nudge><s>", "-hi;\n"},
		{func() error { _, _, err := p.Peek(ctx, "s", 40); return err }, "<peek><s><40>", ""},
		{func() error { _, err := p.ListRunning(ctx, ""); return err }, "<list-running><>", ""},
		{func() error { _, err := p.Protocol(ctx); return err }, "<protocol>", ""},
		{func() error { _, err := p.CopyTo(ctx, "s", "/a b", "c"); return err }, "<copy-to><s></a b><c>", ""},
		{func() error { _, err := p.CheckImage(ctx, "reg:5000/i@sha256:0"); return err }, "<check-image><reg:5000/i@sha256:0>", ""},
		{func() error { _, err := p.ProcessAlive(ctx, "s", []string{"a", "b c"}); return err }, "<process-alive><s>", "a\nb c\n"},
		{func() error { return p.Start(ctx, "s", StartConfig{Command: "c", Env: map[string]string{"E": ""}}) }, "<start><s>", `{"command":"c","env":{"E":""}}`}, // RPP-7
	} {
		if err := tt.run(); err != nil {
			t.Errorf("%s: %v", tt.args, err)
		}
		args, _ := os.ReadFile(filepath.Join(p.Dir, "args"))
		stdin, _ := os.ReadFile(filepath.Join(p.Dir, "stdin"))
		if string(args) != tt.args || string(stdin) != tt.stdin {
			t.Errorf("got %q and %q, want %q and %q", args, stdin, tt.args, tt.stdin)
		}
		os.Remove(filepath.Join(p.Dir, "args"))
	}
}

// RPP-1: names that no executable is run with.
func TestNamesRefused(t *testing.T) {
	t.Parallel()
	p := script(t, `echo >$DIR/ran`)
	for _, name := range []string{"", "-x", "a\nb", "a\tb", "\x1b", "a\x00", "\x7f", "\u009b"} {
		if _, err := p.Stop(t.Context(), name); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
		if _, _, err := p.Exec(t.Context(), name, []string{"true"}); !errors.Is(err, ErrName) {
			t.Errorf("exec %q: %v", name, err)
		}
		if _, err := p.Attach(t.Context(), name); !errors.Is(err, ErrName) {
			t.Errorf("attach %q: %v", name, err)
		}
	}
	if _, err := p.SetMeta(t.Context(), "s", "k\x00", ""); !errors.Is(err, ErrName) {
		t.Errorf("NUL in an argument: %v", err)
	}
	if _, err := os.Stat(filepath.Join(p.Dir, "ran")); err == nil {
		t.Error("it was run")
	}
}

// RPP-1: what a specification names.
func TestNew(t *testing.T) {
	p := script(t, `echo true`)
	dir := p.Dir
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Chdir(dir)
	for _, spec := range []string{"exec:" + dir + "/runtime", dir + "/runtime", "exec:./runtime", "exec:runtime", "runtime"} {
		p, err := New(spec)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		if !filepath.IsAbs(p.Command[0]) {
			t.Errorf("%s: %s would change with the directory", spec, p.Command[0])
		}
		if yes, err := p.IsRunning(t.Context(), "s"); !yes || err != nil {
			t.Errorf("%s: %v, %v", spec, yes, err)
		}
	}
	t.Setenv("PATH", "/nowhere")
	for _, spec := range []string{"", "exec:", "exec:runtime", "runtime", "./none", dir} {
		if _, err := New(spec); err == nil {
			t.Errorf("%q: no error", spec)
		}
	}
}

// RPP-11: the caller's environment, unless another is given.
func TestEnvironment(t *testing.T) {
	t.Setenv("RPP_SAMPLE", "inherited")
	p := script(t, `echo "$RPP_SAMPLE"`)
	if got, err := p.GetMeta(t.Context(), "s", "k"); got != "inherited" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	p.Env = append(os.Environ(), "RPP_SAMPLE=given")
	if got, err := p.GetMeta(t.Context(), "s", "k"); got != "given" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

// Texts, values and environment stay out of the log and of our part of errors;
// the message is fit for a terminal.
func TestErrorsAndLog(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	p := script(t, `cat >/dev/null; printf 'no\033[2J box\nhere\n' >&2; exit 1`)
	p.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	err := p.Start(t.Context(), "s 1", StartConfig{Env: map[string]string{"K": "SECRET"}, Nudge: "SECRET"})
	if got, want := err.Error(), `start "s 1": exit status 1: no [2J box here`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := p.Nudge(t.Context(), "s", "SECRET"); strings.Contains(err.Error(), "SECRET") {
		t.Error(err)
	}
	if text := log.String(); strings.Contains(text, "SECRET") || !strings.Contains(text, "op=start") || !strings.Contains(text, "code=1") {
		t.Errorf("log: %s", text)
	}
	long := &OpError{Op: "stop", Session: "s", Signal: syscall.SIGKILL, Code: -1, Stderr: strings.Repeat("x", 1000) + "the end"}
	if s := long.Error(); len(s) > 500 || !strings.HasSuffix(s, "the end") {
		t.Error(s)
	}
}

func TestWatchStartup(t *testing.T) {
	t.Parallel()
	p := script(t, `echo banner; printf '%s\n' '{"content":"one\nline"}'; printf '{"cont'; sleep 0.05; echo 'ent":"two"}'; echo '{"other":1}'; echo '{"content":""}'`)
	var seen []string
	handled, err := p.WatchStartup(t.Context(), "s", func(s string) error { seen = append(seen, s); return nil })
	if !handled || err != nil || !reflect.DeepEqual(seen, []string{"one\nline", "two", ""}) {
		t.Errorf("got %q, %v, %v", seen, handled, err)
	}
	p = script(t, `echo '{"content":"x"}'; exec sleep 60`)
	enough := errors.New("enough")
	if handled, err := p.WatchStartup(t.Context(), "s", func(string) error { return enough }); !handled || err != enough {
		t.Errorf("got %v, %v; want the callback's error", handled, err)
	}
}
