package rpp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
)

// helpers are the executables that the test binary can be, working in the
// provider's directory.
var helpers = map[string]func(){
	"files":  func() { Main(fileRuntime()) },
	"empty":  func() { Main(Runtime{}) },
	"attach": attachHelper,
	"broken": func() {
		Main(Runtime{
			Stop:      func(context.Context, string) error { panic("in the operation") },
			Interrupt: func(context.Context, string) error { go func() { panic("beside it") }(); select {} },
		})
	},
	"slow": func() {
		Main(Runtime{Start: func(ctx context.Context, name string, _ StartConfig, warn func(string, ...any)) error {
			box := filepath.Join(".", name)
			if err := os.WriteFile(box, nil, 0o600); err != nil {
				return err
			}
			_ = os.WriteFile("ready", []byte("\n"), 0o600)
			<-ctx.Done()
			warn("rolling back")
			return os.Remove(box)
		}})
	},
}

// RPP-13: every operation, Provider to Serve and back, over a real process.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	p, ctx := helper(t, "files"), t.Context()
	content := func(what string) string {
		data, err := os.ReadFile(filepath.Join(p.Dir, "box-s-1", what))
		if err != nil {
			t.Error(err)
		}
		return string(data)
	}
	check := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v, want %#v", what, got, want)
		}
	}
	ask := func(op string) string {
		t.Helper()
		answer, err := all[op](ctx, p)
		return fmt.Sprint(answer, " ", err)
	}

	h, err := p.Protocol(ctx)
	check("protocol", fmt.Sprint(h, err), "{0 [proc.exec proc.provision report-activity report-attachment]} <nil>")
	yes, err := p.IsRunning(ctx, "s-1")
	check("is-running before", fmt.Sprint(yes, err), "false <nil>")
	const config = `{"command":"agent","env":{"GC_CONTROLLER_TOKEN":""},"newer":{"x":[1]}}`
	var cfg StartConfig
	if err := json.Unmarshal([]byte(config), &cfg); err != nil {
		t.Fatal(err)
	}
	check("start", p.Start(ctx, "s-1", cfg), nil)
	check("config", content("config"), config)
	check("start again", outcome(p.Start(ctx, "s-1", cfg)), "fails 1 exists")
	check("start, temporary", outcome(p.Start(ctx, "s-2", StartConfig{Command: "busy"})), "fails 75 temporary")
	check("start, a file exists", outcome(p.Start(ctx, "s-2", StartConfig{Command: "mkdir"})), "fails 1")
	handled, err := p.Provision(ctx, "s-3", StartConfig{Command: "busy"})
	check("provision, temporary", fmt.Sprint(handled, " ", outcome(err)), "false fails 1")
	handled, err = p.Provision(ctx, "s-3", StartConfig{})
	check("provision", fmt.Sprint(handled, err), "true <nil>")
	yes, err = p.IsRunning(ctx, "s-1")
	check("is-running", fmt.Sprint(yes, err), "true <nil>")

	for _, code := range []int{0, 1, 2, 75, 255} {
		out, got, err := p.Exec(ctx, "s-1", []string{"sh", "-c", "pwd | grep -c box-s-1; echo err >&2; exit $0", itoa(code)})
		check("exec", fmt.Sprintf("%q %d %v", out, got, err), fmt.Sprintf("%q %d <nil>", "1\nerr\n", code))
	}
	check("is-attached before", ask("is-attached"), "false <nil>")
	_, err = p.Attach(ctx, "s-1")
	check("attach", err, nil)
	yes, err = p.IsAttached(ctx, "s-1")
	check("is-attached", fmt.Sprint(yes, err), "true <nil>")
	yes, err = p.ProcessAlive(ctx, "s-1", []string{"claude", "a b"})
	check("process-alive", fmt.Sprint(yes, err), "true <nil>")
	yes, err = p.ProcessAlive(ctx, "s-1", nil)
	check("process-alive, none", fmt.Sprint(yes, err), "false <nil>")
	at, err := p.LastActivity(ctx, "s-1")
	check("last activity", fmt.Sprint(at.UTC(), err), "2026-01-02 02:04:05.0000006 +0000 UTC <nil>")
	at, err = p.LastActivity(ctx, "never")
	check("no activity", fmt.Sprint(at.IsZero(), err), "true <nil>")

	text := "-x ;\n" + strings.Repeat("é", 1<<19) + "\n\n"
	handled, err = p.Nudge(ctx, "s-1", text)
	check("nudge", fmt.Sprint(handled, err, content("nudge") == text), "true <nil> true")
	_, err = p.SendKeys(ctx, "s-1", "C-c", "-l", "a b", "")
	check("send-keys", fmt.Sprint(err, content("keys")), "<nil>C-c|-l|a b|")
	_, err = p.Interrupt(ctx, "s-1")
	check("interrupt", fmt.Sprint(err, content("interrupted")), "<nil>")
	_, err = p.ClearScrollback(ctx, "s-1")
	check("clear-scrollback", fmt.Sprint(err, content("cleared")), "<nil>")
	screen, handled, err := p.Peek(ctx, "s-1", 40)
	check("peek", fmt.Sprintf("%q %v %v", screen, handled, err), fmt.Sprintf("%q true <nil>", "40 ❯\u00a0 \n\n"))

	for _, value := range []string{"v", "v\n", "\n\n", " a\r\n b ", ""} {
		_, err = p.SetMeta(ctx, "s-1", "k", value)
		check("set-meta", err, nil)
		got, err := p.GetMeta(ctx, "s-1", "k")
		check("get-meta", fmt.Sprintf("%q %v", got, err), fmt.Sprintf("%q <nil>", value))
	}
	_, err = p.RemoveMeta(ctx, "s-1", "k")
	check("remove-meta", err, nil)
	got, err := p.GetMeta(ctx, "s-1", "k")
	check("get-meta, unset", fmt.Sprintf("%q %v", got, err), `"" <nil>`)

	names, err := p.ListRunning(ctx, "s-")
	check("list-running", fmt.Sprint(names, err), "[s-1 s-3] <nil>")
	names, err = p.ListRunning(ctx, "")
	check("list-running, all", fmt.Sprint(names, err), "[s-1 s-3] <nil>")
	_, err = p.CopyTo(ctx, "s-1", filepath.Join(p.Dir, "box-s-1", "config"), "copy")
	check("copy-to", fmt.Sprint(err, content("copy")), "<nil>"+config)
	_, err = p.CheckImage(ctx, "reg:5000/box@sha256:0")
	check("check-image", err, nil)
	_, err = p.CheckImage(ctx, "other")
	check("check-image, absent", outcome(err), "fails 1")

	var screens []string
	_, err = p.WatchStartup(ctx, "s-1", func(s string) error { screens = append(screens, s); return nil })
	check("watch-startup", fmt.Sprintf("%q %v", screens, err), `["one\ntwo <b>" "" "❯ "] <nil>`)
	handled, err = p.Stop(ctx, "s-1")
	check("stop", fmt.Sprint(handled, err), "true <nil>")
	yes, err = p.IsRunning(ctx, "s-1")
	check("is-running after", fmt.Sprint(yes, err), "false <nil>")
}

// RPP-13: what a runtime has not exits 2, whatever it is asked with; protocol is
// there for free.
func TestServeUnknown(t *testing.T) {
	t.Parallel()
	for op := range all {
		for _, args := range [][]string{{op}, {op, "s"}, {op, "-bad", "x", "y"}} {
			var out, errOut bytes.Buffer
			if code := Serve(t.Context(), Runtime{}, args, strings.NewReader(""), &out, &errOut); code != 2 || out.Len()+errOut.Len() > 0 {
				t.Errorf("%v: %d, %q, %q", args, code, out.String(), errOut.String())
			}
		}
	}
	for args, want := range map[string]int{"": 1, "protocol": 0, "brew": 2} {
		var out bytes.Buffer
		if code := Serve(t.Context(), Runtime{}, strings.Fields(args), nil, &out, io.Discard); code != want {
			t.Errorf("%q: %d", args, code)
		}
		if args == "protocol" && out.String() != `{"version":0,"capabilities":[]}`+"\n" {
			t.Errorf("protocol: %s", out.String())
		}
	}
	if err := helper(t, "empty").Start(t.Context(), "s", StartConfig{}); outcome(err) != "fails 2" {
		t.Errorf("start of a runtime without one: %v", err)
	}
}

// RPP-1, RPP-13: what Serve refuses before the runtime sees it is never 2.
func TestServeRefuses(t *testing.T) {
	t.Parallel()
	rt := fileRuntime()
	for _, args := range [][]string{
		{"stop"}, {"stop", ""}, {"stop", "-x"}, {"stop", "a/b"}, {"stop", ".."}, {"stop", "."}, {"stop", "a b"}, {"stop", "é"}, {"stop", "a:b"},
		{"list-running", "a/b"}, {"peek", "s"}, {"peek", "s", "x"}, {"peek", "s", "-1"}, {"get-meta", "s"}, {"copy-to", "s", "x"},
		{"send-keys", "s"}, {"check-image", "-x"}, {"check-image", ""},
	} {
		var errOut bytes.Buffer
		if code := Serve(t.Context(), rt, args, strings.NewReader(""), io.Discard, &errOut); code != 1 || errOut.Len() == 0 {
			t.Errorf("%q: %d, %q", args, code, errOut.String())
		}
	}
	for _, stdin := range []string{"{", "[]", `{"env":[]}`} {
		if code := Serve(t.Context(), rt, []string{"start", "s"}, strings.NewReader(stdin), io.Discard, io.Discard); code != 1 {
			t.Errorf("start config %q: %d", stdin, code)
		}
	}
	for _, code := range []int{256, -1} { // 256 would be 0 to a shell, -1 is os/exec's for a signal
		rt.Exec = func(context.Context, string, string, io.Writer) (int, error) { return code, nil }
		if got := Serve(t.Context(), rt, []string{"exec", "s"}, strings.NewReader("x"), io.Discard, io.Discard); got != 1 {
			t.Errorf("exec, code %d: %d", code, got)
		}
	}
	rt.Capabilities = func(context.Context) ([]string, error) { return nil, errors.New("no box to look at") }
	if code := Serve(t.Context(), rt, []string{"protocol"}, nil, io.Discard, io.Discard); code != 1 {
		t.Errorf("a handshake that fails: %d", code)
	}
}

// RPP-8, RUN-2: only ErrExists says that the name is taken, in errors and
// warnings, and it always does.
func TestServeClaims(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		warn string
		want string
		code int
	}{
		{err: errors.New("mkdir: File Already Exists"), want: "start: mkdir: File Already-Exists\n", code: 1},
		{err: ErrTemporary, warn: "x already running\ny", want: "warning: x already-running\nwarning: y\nstart: " + ErrTemporary.Error() + "\n", code: 75},
		{err: ErrExists, want: "start: the session already exists\n", code: 1},
		{err: existsError{}, want: "start: taken: the session already exists\n", code: 1},
		{err: fmt.Errorf("%w, %w", ErrTemporary, ErrExists), want: "start: " + ErrTemporary.Error() + ", the session already exists\n", code: 1},
	} {
		var errOut bytes.Buffer
		rt := Runtime{Start: func(_ context.Context, _ string, _ StartConfig, warn func(string, ...any)) error {
			if tt.warn != "" {
				warn("%s", tt.warn)
			}
			return tt.err
		}}
		code := Serve(t.Context(), rt, []string{"start", "s"}, strings.NewReader(""), io.Discard, &errOut)
		if code != tt.code || errOut.String() != tt.want {
			t.Errorf("%v: got %d, %q, want %d, %q", tt.err, code, errOut.String(), tt.code, tt.want)
		}
	}
}

type existsError struct{}

func (existsError) Error() string        { return "taken" }
func (existsError) Is(target error) bool { return target == ErrExists }

// RPP-13: a panic is never 2: 1 where it can be caught, an abort in a goroutine.
func TestServePanic(t *testing.T) {
	t.Parallel()
	p := helper(t, "broken")
	_, err := p.Stop(t.Context(), "s")
	if e := (*OpError)(nil); !errors.As(err, &e) || e.Code != 1 || !strings.Contains(e.Stderr, "stop: panic: in the operation") {
		t.Errorf("a panic: %v", err)
	}
	_, err = p.Interrupt(t.Context(), "s")
	if e := (*OpError)(nil); !errors.As(err, &e) || e.Signal != syscall.SIGABRT {
		t.Errorf("a panic in a goroutine: %v", err)
	}
}

// RPP-3, RPP-13: TERM cancels the operation, its rollback is waited for, also when
// nobody hears what it says, and the exit code is not 0.
func TestServeRollback(t *testing.T) {
	t.Parallel()
	p := helper(t, "slow")
	err := canceled(t, p, func(ctx context.Context) error { return p.Start(ctx, "s", StartConfig{}) })
	if e := (*OpError)(nil); !errors.As(err, &e) || !strings.Contains(e.Stderr, "warning: rolling back\nstart: canceled") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(p.Dir, "s")); err == nil {
		t.Error("the box is still there")
	}

	p = helper(t, "slow")
	cmd, _ := p.command("start", "s")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	readWhen(t, filepath.Join(p.Dir, "ready"))
	stderr.Close() // its next warning meets SIGPIPE
	_ = cmd.Process.Signal(syscall.SIGTERM)
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("without a listener: %v", cmd.ProcessState)
	}
	if _, err := os.Stat(filepath.Join(p.Dir, "s")); err == nil {
		t.Error("without a listener: the box is still there")
	}
}

// A canceled operation does not wait for a standard input that never ends.
func TestServeStdinHeldOpen(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rt := Runtime{Nudge: func(context.Context, string, string) error { return nil }}
	if code := Serve(ctx, rt, []string{"nudge", "s"}, r, io.Discard, io.Discard); code != 1 {
		t.Errorf("got %d", code)
	}
}
