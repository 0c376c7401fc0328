package agent

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// A session is an agent that runs in this process, on a pty.
type session struct {
	t      *testing.T
	master *os.File
	tty    *os.File
	log    string
	cancel context.CancelFunc
	done   chan struct{} // closed at the end of the run
	err    error         // of the run

	mu     sync.Mutex
	output bytes.Buffer
}

func run(t *testing.T, o Options) *session {
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	master = pollable(t, master)
	ctx, cancel := context.WithCancel(t.Context())
	s := &session{t: t, master: master, tty: tty, cancel: cancel, done: make(chan struct{})}
	s.log = filepath.Join(t.TempDir(), "log")
	o.Log = s.log
	go func() {
		defer close(s.done)
		s.err = Run(ctx, o, tty, tty)
	}()
	go func() { // the terminal, which shows what it is sent
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			if err != nil {
				return
			}
			s.mu.Lock()
			s.output.Write(buf[:n])
			s.mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-s.done
		_ = master.Close()
		_ = tty.Close()
	})
	s.wait("the agent is ready", func() bool { return s.read().Count("ready") > 0 })
	return s
}

// pollable makes f non-blocking again, which pty does not leave it: a Close
// must not wait for the read that is under way.
func pollable(t *testing.T, f *os.File) *os.File {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	if err := unix.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), "pty")
}

func (s *session) read() Log {
	log, err := ReadLog(s.log)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		s.t.Fatal(err)
	}
	return log
}

func (s *session) shown() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.output.String()
}

func (s *session) wait(what string, ok func() bool) {
	s.t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("gave up waiting: %s\n%q\n%q", what, s.shown(), s.read().Events())
		}
	}
}

func (s *session) send(text string) {
	s.t.Helper()
	if _, err := s.master.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// ended waits for the end of the agent.
func (s *session) ended() error {
	s.t.Helper()
	select {
	case <-s.done:
		return s.err
	case <-time.After(20 * time.Second):
		s.t.Fatalf("the agent goes on: %q", s.read().Events())
		return nil
	}
}

func modes(t *testing.T, f *os.File) *term.State {
	got, err := term.GetState(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// The terminal is raw while the agent runs, and left as it was found.
func TestRunLeavesTheTerminal(t *testing.T) {
	for _, alternate := range []bool{false, true} {
		master, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		before := modes(t, tty)
		_, _ = master.Close(), tty.Close()

		s := run(t, Options{Alternate: alternate})
		if reflect.DeepEqual(modes(t, s.tty), before) {
			t.Error("not raw")
		}
		s.cancel()
		if err := s.ended(); !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
		if !reflect.DeepEqual(modes(t, s.tty), before) {
			t.Error("the terminal was left raw")
		}
		s.wait("brackets off", func() bool { return strings.Contains(s.shown(), "\x1b[?2004l") })
		if got := s.shown(); !strings.Contains(got, "\x1b[?2004h") ||
			strings.Contains(got, "\x1b[?1049h") != alternate || strings.Contains(got, "\x1b[?1049l") != alternate {
			t.Errorf("alternate %v: %q", alternate, got)
		}
	}
}

// Every byte that reaches the terminal is in the log, and those of a paste are
// in the message.
func TestRunIsExact(t *testing.T) {
	s := run(t, Options{Burst: -1, Busy: -1})
	var all []byte
	for c := range 256 {
		if c != 0x03 && c != 0x04 && c != 0x1b { // C-c and C-d would end it, ESC starts a sequence
			all = append(all, byte(c))
		}
	}
	s.send(string(all) + "\x15")
	s.wait("all bytes", func() bool { return len(s.read().Bytes()) >= len(all)+1 })
	if got := s.read().Bytes(); string(got) != string(all)+"\x15" {
		t.Errorf("read %q", got)
	}
	s.send("\x03" + pasteStart + string(all) + pasteEnd + "\r")
	s.wait("the paste", func() bool { return strings.Contains(strings.Join(s.read().Submitted(), "|"), string(all)) })
}

func TestRunErrors(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = r.Close(), w.Close() }()
	if err := Run(t.Context(), Options{}, r, w); err == nil {
		t.Error("a pipe was taken for a terminal")
	}
	if err := Run(t.Context(), Options{CtrlC: "nonsense"}, r, w); err == nil || !strings.Contains(err.Error(), "second, never") {
		t.Errorf("%v", err)
	}
}

// The loss of the terminal ends the agent, and is outlived on request.
func TestRunTerminalLost(t *testing.T) {
	s := run(t, Options{})
	_ = s.master.Close()
	var exit *ExitError
	if err := s.ended(); !errors.As(err, &exit) || exit.Code != 129 {
		t.Errorf("ended with %v", err)
	}
	s = run(t, Options{IgnoreSignals: true})
	_ = s.master.Close()
	s.wait("terminal lost", func() bool { return s.read().Count("terminal lost") == 1 })
	s.cancel()
	_ = s.ended()
}

// exit and quit say so in the log and in the error.
func TestRunExit(t *testing.T) {
	s := run(t, Options{Burst: -1})
	s.send("/exit 3\r")
	var exit *ExitError
	if err := s.ended(); !errors.As(err, &exit) || exit.Code != 3 || s.read().Count("exit 3") != 1 {
		t.Errorf("ended with %v, %q", err, s.read().Events())
	}
	s = run(t, Options{})
	s.send("\x04")
	if err := s.ended(); err != nil || s.read().Count("exit 0") != 1 {
		t.Errorf("ended with %v, %q", err, s.read().Events())
	}
}

func TestMainFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"--help"}, 0},
		{[]string{"--no-such-flag"}, 64},
		{[]string{"--busy", "long"}, 64},
		{[]string{"word"}, 64},
		{[]string{"--escape", "nonsense"}, 1},
	} {
		stderr := os.Stderr
		os.Stderr, _ = os.Open(os.DevNull)
		got := Main(c.args)
		_ = os.Stderr.Close()
		os.Stderr = stderr
		if got != c.want {
			t.Errorf("%q: %d, want %d", c.args, got, c.want)
		}
	}
}
