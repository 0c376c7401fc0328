package rpp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
)

// canceled runs an operation and cancels it once the script has written ready.
// The scripts hang for a minute: to be back before that is the point.
func canceled(t *testing.T, p *Provider, run func(context.Context) error) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	got := make(chan error, 1)
	go func() { got <- run(ctx) }()
	readWhen(t, filepath.Join(p.Dir, "ready"))
	began := time.Now()
	cancel()
	select {
	case err := <-got:
		t.Logf("back %v after the cancel", time.Since(began).Round(time.Millisecond))
		return err
	case <-time.After(20 * time.Second):
		t.Fatal("still not back 20 s after the cancel")
		return nil
	}
}

// The scripts with a trap loop over short sleeps: a child that dash has forked but
// not yet executed swallows the TERM and would sleep on.

// RPP-3: a canceled call returns the context's error whatever becomes of the
// executable and of its children, with what it said so far.
func TestCancel(t *testing.T) {
	tests := map[string]struct {
		body   string
		stderr string   // all of it
		left   []string // pid files of those that rightly survive
		gone   []string // pid files of those that must not
	}{
		"rolls back and exits 0": {
			body:   `trap 'echo rolled back >&2; exit 0' TERM; echo made a box >&2; echo >$DIR/ready; while :; do sleep 0.02; done`,
			stderr: "made a box\nrolled back\n",
		},
		"rolls back and exits 2": {
			body: `trap 'exit 2' TERM; echo >$DIR/ready; while :; do sleep 0.02; done`,
		},
		"name taken, then canceled": {
			body:   `trap 'exit 1' TERM; echo already exists >&2; echo >$DIR/ready; while :; do sleep 0.02; done`,
			stderr: "already exists\n",
		},
		"a helper in front gets TERM too": {
			body: `sh -c 'echo $$ >$0/child; echo >$0/ready; exec sleep 60' $DIR; exit 1`,
			gone: []string{"child"},
		},
		"ignores TERM": {
			body: `trap '' TERM; echo $$ >$DIR/self; sh -c 'echo $$ >$0/child; echo >$0/ready; exec sleep 60' $DIR; exit 1`,
			gone: []string{"self"}, left: []string{"child"},
		},
		"a grandchild ignores TERM and holds the pipes": {
			body: `sh -c 'trap "" TERM; echo $$ >$0/child; echo >$0/ready; exec sleep 60' $DIR & wait`,
			left: []string{"child"},
		},
		"a grandchild left the group and holds the pipes": {
			body: `setsid sh -c 'echo $$ >$0/child; echo >$0/ready; exec sleep 60' $DIR & wait`,
			left: []string{"child"},
		},
		"stopped": {
			body: `echo $$ >$DIR/self; echo >$DIR/ready; kill -STOP $$`,
			gone: []string{"self"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := script(t, tt.body)
			err := canceled(t, p, func(ctx context.Context) error {
				return p.Start(ctx, "s", StartConfig{})
			})
			for _, file := range tt.left {
				if pid := endLater(t, filepath.Join(p.Dir, file)); !alive(pid) {
					t.Errorf("%s was killed, it is not the executable", file)
				}
			}
			for _, file := range tt.gone {
				waitGone(t, filepath.Join(p.Dir, file))
			}
			var e *OpError
			if !errors.As(err, &e) || e.Code != -1 || e.Signal != 0 || !errors.Is(err, context.Canceled) {
				t.Fatalf("got %#v, want an OpError of the context", err)
			}
			if errors.Is(err, ErrExists) || errors.Is(err, ErrTemporary) { // RPP-8
				t.Errorf("a canceled start must be neither: %v", err)
			}
			// dash says so of its sleep.
			if got := strings.ReplaceAll(e.Stderr, "Terminated\n", ""); tt.stderr != "" && got != tt.stderr {
				t.Errorf("stderr %q, want %q", got, tt.stderr)
			}
		})
	}
}

func waitGone(t *testing.T, file string) {
	t.Helper()
	pid := endLater(t, file)
	waitUntil(t, file+" is gone", func() (bool, string) { return !alive(pid), "it lives" })
}

// RPP-4: exec and watch-startup get no SIGTERM.
func TestCancelKills(t *testing.T) {
	body := `trap 'echo >$DIR/termed' TERM; echo partly; echo $$ >$DIR/self; echo >$DIR/ready; while :; do sleep 0.05; done`
	t.Run("exec", func(t *testing.T) {
		t.Parallel()
		p := script(t, body)
		var out []byte
		err := canceled(t, p, func(ctx context.Context) (err error) {
			out, _, err = p.Exec(ctx, "s", []string{"true"})
			return err
		})
		if !errors.Is(err, box.ErrUnavailable) || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want unavailable and canceled", err)
		}
		if string(out) != "partly\n" {
			t.Errorf("output %q, want what came", out)
		}
		notTermed(t, p)
	})
	t.Run("watch-startup", func(t *testing.T) {
		t.Parallel()
		p := script(t, body)
		err := canceled(t, p, func(ctx context.Context) error {
			_, err := p.WatchStartup(ctx, "s", func(string) error { return nil })
			return err
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want canceled", err)
		}
		notTermed(t, p)
	})
}

func notTermed(t *testing.T, p *Provider) {
	t.Helper()
	waitGone(t, filepath.Join(p.Dir, "self"))
	if _, err := os.Stat(filepath.Join(p.Dir, "termed")); err == nil {
		t.Error("it was given SIGTERM")
	}
}

// RPP-3: the executable leads a process group of its own.
func TestProcessGroup(t *testing.T) {
	t.Parallel()
	p := script(t, `[ "$1" = is-running ] && [ "$(ps -o pgid= -p $$ | tr -d ' ')" = $$ ] && echo true`)
	if yes, err := p.IsRunning(t.Context(), "s"); !yes || err != nil {
		t.Fatalf("got %v, %v", yes, err)
	}
}

// RPP-9: a daemon that holds the output makes no difference, and nothing that
// was printed before is lost, be it more than a pipe holds.
func TestDaemonLeftBehind(t *testing.T) {
	t.Parallel()
	p := script(t, `sh -c 'echo $$ >$0/daemon; exec sleep 60' $DIR &
while ! [ -s $DIR/daemon ]; do sleep 0.01; done
head -c 300000 /dev/zero | tr '\0' x; echo said >&2; [ "$1" = peek ]`)
	got, handled, err := p.Peek(t.Context(), "s", 1)
	pid := endLater(t, filepath.Join(p.Dir, "daemon"))
	if !handled || err != nil || got != strings.Repeat("x", 300000) {
		t.Errorf("got %d bytes, %v, %v", len(got), handled, err)
	}
	if !alive(pid) {
		t.Error("the daemon is dead")
	}
	_, err = p.Stop(t.Context(), "s")
	endLater(t, filepath.Join(p.Dir, "daemon"))
	if e := (*OpError)(nil); !errors.As(err, &e) || e.Code != 1 || e.Stderr != "said\n" {
		t.Errorf("a failure with a daemon: %v", err)
	}
}

// RPP-9: a daemon that never stops writing.
func TestDaemonThatFloods(t *testing.T) {
	t.Parallel()
	p := script(t, `echo true; sh -c 'echo $$ >$0/daemon; exec yes' $DIR & while ! [ -s $DIR/daemon ]; do sleep 0.01; done`)
	if err := p.Start(t.Context(), "s", StartConfig{}); err != nil {
		t.Errorf("start, which prints no answer: %v", err)
	}
	endLater(t, filepath.Join(p.Dir, "daemon"))
	os.Remove(filepath.Join(p.Dir, "daemon"))
	// Where an answer is expected, there is none in this.
	if yes, err := p.IsRunning(t.Context(), "s"); yes || err == nil {
		t.Errorf("is-running: %v, %v", yes, err)
	}
	endLater(t, filepath.Join(p.Dir, "daemon"))
}

// A reader that is not interested is no error, nor one that has the input but
// never reads it.
func TestStdinUnread(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789abcde\n", 4<<20/16)
	for name, body := range map[string]string{
		"exits":           `exit 0`,
		"closes it":       `exec <&-; exit 0`,
		"reads a little":  `head -c 10 >/dev/null`,
		"a child has it":  `exec 3<&0; sh -c 'echo $$ >$0/daemon; exec sleep 60 <&3' $DIR & while ! [ -s $DIR/daemon ]; do sleep 0.01; done`,
		"reads all of it": fmtLen(len(text)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := script(t, body)
			handled, err := p.Nudge(t.Context(), "s", text)
			if strings.Contains(body, "daemon") {
				endLater(t, filepath.Join(p.Dir, "daemon"))
			}
			if !handled || err != nil {
				t.Errorf("got %v, %v", handled, err)
			}
		})
	}
}

func fmtLen(n int) string { return `[ "$(wc -c | tr -d ' ')" = ` + itoa(n) + ` ]` }

// RPP-5.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	for op, want := range map[string]time.Duration{
		"start": 120 * time.Second, "provision": 120 * time.Second, "attach": 0, "watch-startup": 0,
		"exec": 30 * time.Second, "stop": 30 * time.Second, "protocol": 30 * time.Second, "copy-to": 30 * time.Second,
	} {
		if got := deadline(op); got != want {
			t.Errorf("%s: %v, want %v", op, got, want)
		}
	}
	p := script(t, `sleep 60`)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := p.Stop(ctx, "s"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the caller's shorter deadline: %v", err)
	}
	if _, err := p.Stop(ctx, "s"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a context that ended before: %v", err)
	}
}

// An executable gone wild is ended, not collected.
func TestTooMuchOutput(t *testing.T) {
	t.Parallel()
	p := script(t, `exec yes`)
	if _, _, err := p.Exec(t.Context(), "s", []string{"x"}); !errors.Is(err, ErrTooMuchOutput) || !errors.Is(err, box.ErrUnavailable) {
		t.Errorf("exec: %v", err)
	}
	if _, _, err := p.Peek(t.Context(), "s", 1); !errors.Is(err, ErrTooMuchOutput) {
		t.Errorf("peek: %v", err)
	}
}

// RPP-8: the phrase counts wherever it stands in a long standard error, which is
// kept in its head and tail only.
func TestComplaints(t *testing.T) {
	t.Parallel()
	var c complaints
	for _, chunk := range []string{strings.Repeat("a", 40<<10), "it ALREADY ", "Exists", strings.Repeat("b", 40<<10)} {
		_, _ = c.Write([]byte(chunk))
	}
	got := c.String()
	if !c.taken {
		t.Error("the phrase was missed")
	}
	if len(got) > 66<<10 || !strings.HasPrefix(got, "aaa") || !strings.HasSuffix(got, "bbb") || !strings.Contains(got, "bytes left out") {
		t.Errorf("%d bytes: %.20s", len(got), got)
	}
}
