package box_test

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/gastownhall/tmux-carrier/box"
)

// shConn runs commands in a shell of this machine, the two ways in which runtimes
// do: the command line as one argument, or as standard input.
type shConn struct {
	shell []string
	stdin bool
	env   []string
	pre   string // what the box prints before anything
	edit  func(output []byte, code int, err error) ([]byte, int, error)
	caps  map[string]bool
	calls int
	asked int
	runs  bool // what is-running says
	fails error
}

func (c *shConn) Exec(ctx context.Context, _ string, argv []string) ([]byte, int, error) {
	c.calls++
	line, err := box.CommandLine(argv)
	if err != nil {
		return nil, 0, err
	}
	args := append(append([]string(nil), c.shell[1:]...), "-c", line)
	if c.stdin {
		args = args[:len(args)-2]
	}
	cmd := exec.CommandContext(ctx, c.shell[0], args...)
	if c.stdin {
		cmd.Stdin = strings.NewReader(line)
	}
	cmd.Env = append(cmd.Environ(), c.env...)
	out, err := cmd.CombinedOutput()
	out = append([]byte(c.pre), out...)
	code := cmd.ProcessState.ExitCode()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	if c.edit != nil {
		return c.edit(out, code, err)
	}
	return out, code, err
}

func (c *shConn) Has(_ context.Context, capability string) bool { return c.caps[capability] }

func (c *shConn) IsRunning(context.Context, string) (bool, error) {
	c.asked++
	return c.runs, c.fails
}

var echo = box.NewScript("echo", `
# not sent
printf '%s\n' "$@"
echo to-stderr >&2
exit 0
`)

func shells(t *testing.T) [][]string {
	all := [][]string{{"sh"}, {"dash"}, {"bash", "--posix"}, {"busybox", "ash"}, {"mksh"}}
	var have [][]string
	for _, s := range all {
		if _, err := exec.LookPath(s[0]); err != nil {
			t.Logf("not tried: %s is not installed", s[0])
			continue
		}
		have = append(have, s)
	}
	return have
}

// BOX-1, BOX-4, RPP-12: arguments arrive byte for byte, in every shell, under -e
// and -u, behind banners, in any locale.
func TestRunInEveryShell(t *testing.T) {
	hostile := []string{"", "'", `"`, `\`, "$(id)", "`id`", "a\nb\n", ";", "-n", "*", "~", "é❯\u00a0", "%s", "\t", "!x"}
	for _, shell := range shells(t) {
		for _, stdin := range []bool{false, true} {
			t.Run(fmt.Sprint(shell, stdin), func(t *testing.T) {
				c := &shConn{
					shell: shell, stdin: stdin, pre: "banner\nbash: warning: setlocale\nno newline",
					env: []string{"SHELLOPTS=errexit:nounset", "LC_ALL=C", "TMUX=/nowhere,1,2"},
				}
				r, err := box.Door{Conn: c}.Run(t.Context(), "s", echo, hostile...)
				if err != nil {
					t.Fatal(err)
				}
				if want := strings.Join(hostile, "\n") + "\n"; string(r.Output) != want {
					t.Errorf("output %q, want %q", r.Output, want)
				}
				if r.Errors != "to-stderr" {
					t.Errorf("errors %q", r.Errors)
				}
				if c.calls != 1 {
					t.Errorf("%d execs", c.calls)
				}
			})
		}
	}
}

// BOX-1: an answer cut at any byte is an outage, whatever the exit code, and never
// an answer.
func TestCutAtEveryByte(t *testing.T) {
	var whole []byte
	c := &shConn{shell: []string{"sh"}, runs: true}
	c.edit = func(out []byte, code int, err error) ([]byte, int, error) { whole = out; return out, code, err }
	door := box.Door{Conn: c}
	script := box.NewScript("two", "echo typed; echo submitted")
	if _, err := door.Run(t.Context(), "s", script); err != nil {
		t.Fatal(err)
	}
	// The closing newline is the frame's last byte; a runtime may trim it.
	for n := range len(whole) - 1 {
		for _, code := range []int{0, 1, 2, 137} {
			c.caps = map[string]bool{box.ProcExec: true}
			c.edit = func(out []byte, _ int, err error) ([]byte, int, error) { return out[:n], code, err }
			r, err := door.Run(t.Context(), "s", script)
			if !errors.Is(err, box.ErrUnavailable) {
				t.Fatalf("cut at %d of %d, code %d: %v, %q", n, len(whole), code, err, r.Output)
			}
			if r.Status != 0 || strings.Contains(string(r.Output), " end") {
				t.Fatalf("cut at %d: reply %+v", n, r)
			}
		}
	}
	c.edit = func(out []byte, code int, err error) ([]byte, int, error) {
		return []byte(strings.TrimSpace(strings.ReplaceAll(string(out), "\n", "\r\n"))), code, err
	}
	r, err := door.Run(t.Context(), "s", script)
	if err != nil || string(r.Output) != "typed\nsubmitted\n" {
		t.Errorf("through a terminal, trimmed: %q, %v", r.Output, err)
	}
}

// BOX-2, CAR-2: what the end of an exec means.
func TestClassify(t *testing.T) {
	fails := func(words string, status int) box.Script {
		return box.NewScript("fails", fmt.Sprintf("echo %q >&2; exit %d", words, status))
	}
	foreign := errors.New("foreign: no exec")
	tests := []struct {
		name   string
		script box.Script
		conn   shConn
		want   error
		asked  int
	}{
		{"no session", fails("can't find session: main", 1), shConn{runs: true}, box.ErrAbsent, 0},
		{"no pane", fails("can't find pane: %7", 1), shConn{runs: true}, box.ErrAbsent, 0},
		{"no sessions at all", fails("no current target", 1), shConn{runs: true}, box.ErrAbsent, 0},
		{"no server", fails("no server running on /tmp/x", 1), shConn{runs: true}, box.ErrUnavailable, 1},
		{"no server, and the runtime says gone", fails("no server running on /tmp/x", 1), shConn{runs: false}, box.ErrAbsent, 1},
		{"no server, and the runtime cannot tell", fails("no server running on /tmp/x", 1), shConn{fails: errors.New("x")}, box.ErrUnavailable, 1},
		{"stale socket", fails("error connecting to /tmp/x (No such file or directory)", 1), shConn{runs: true}, box.ErrUnavailable, 1},
		{"server died", fails("server exited unexpectedly", 1), shConn{runs: true}, box.ErrUnavailable, 1},
		{"no tmux", fails("tmux-carrier: tmux: not found", 127), shConn{runs: true}, box.ErrUnavailable, 1},
		{"exec could not be run", echo, shConn{edit: func([]byte, int, error) ([]byte, int, error) { return nil, 0, errors.New("no") }}, box.ErrUnavailable, 0},
		{"foreign unsupported", echo, shConn{edit: func([]byte, int, error) ([]byte, int, error) { return nil, 0, foreign }}, box.ErrExecUnsupported, 0},
		{"exit 2, nothing declared", echo, shConn{edit: func([]byte, int, error) ([]byte, int, error) { return nil, 2, nil }}, box.ErrExecUnsupported, 0},
		{"exit 2 under proc.exec", echo, shConn{
			runs: true, caps: map[string]bool{box.ProcExec: true},
			edit: func([]byte, int, error) ([]byte, int, error) { return nil, 2, nil },
		}, box.ErrUnavailable, 1},
		{"exit 2 with a frame begun", echo, shConn{
			runs: true,
			edit: func(o []byte, _ int, _ error) ([]byte, int, error) { return o[:len(o)/2], 2, nil },
		}, box.ErrUnavailable, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.conn.shell = []string{"sh"}
			_, err := box.Door{Conn: &tt.conn, Unsupported: func(err error) bool { return errors.Is(err, foreign) }}.Run(t.Context(), "s", tt.script)
			if !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if tt.conn.asked != tt.asked {
				t.Errorf("is-running was asked %d times, want %d", tt.conn.asked, tt.asked)
			}
		})
	}
}

// BOX-2: a canceled exec is an outage that wraps the context's error, and nobody
// is asked.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := &shConn{edit: func(out []byte, _ int, _ error) ([]byte, int, error) {
		cancel()
		return out, 0, context.Canceled
	}, shell: []string{"sh"}}
	_, err := box.Door{Conn: c}.Run(ctx, "s", echo)
	if !errors.Is(err, box.ErrUnavailable) || !errors.Is(err, context.Canceled) || c.asked != 0 {
		t.Errorf("%v, asked %d", err, c.asked)
	}
}

// RPP-12: what no runtime could run is refused before anything is sent.
func TestRefusedBeforehand(t *testing.T) {
	c := &shConn{shell: []string{"sh"}}
	door := box.Door{Conn: c}
	if _, err := door.Run(t.Context(), "s", echo, "a\x00b"); !errors.Is(err, box.ErrNUL) {
		t.Error(err)
	}
	long := strings.Repeat("'", box.MaxCommand/5)
	if _, err := door.Run(t.Context(), "s", echo, long); !errors.Is(err, box.ErrCommandTooLong) {
		t.Error(err)
	}
	if echo.Fits(long) || !echo.Fits(long[:len(long)/2]) {
		t.Error("Fits")
	}
	if c.calls != 0 {
		t.Errorf("%d execs", c.calls)
	}
}

// RPP-12: a first word that the shell's grammar knows is a command's name all the same.
func TestFirstWord(t *testing.T) {
	for _, word := range []string{"A=b", "if", "time", "while", "=", "a b", ""} {
		line, err := box.CommandLine([]string{word, "x"})
		if err != nil {
			t.Fatal(err)
		}
		for _, shell := range shells(t) {
			out, err := exec.Command(shell[0], append(shell[1:], "-c", line)...).CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() < 126 {
				t.Errorf("%v runs %q as something: %v, %s", shell, line, err, out)
			}
		}
	}
}

// FuzzFrame: no output that lacks our nonce is ever taken for an answer.
func FuzzFrame(f *testing.F) {
	f.Add([]byte("\ngc-X begin\n\ngc-X status 0\n\ngc-X end\n"), 0)
	f.Fuzz(func(t *testing.T, out []byte, code int) {
		c := &shConn{shell: []string{"true"}, runs: true, edit: func([]byte, int, error) ([]byte, int, error) { return out, code, nil }}
		if _, err := (box.Door{Conn: c}).Run(t.Context(), "s", echo); err == nil {
			t.Errorf("%q was taken for an answer", out)
		}
	})
}
