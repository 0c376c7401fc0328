package rpp

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// attachHelper is a program that attaches on its terminal: the runtime is the
// script in its directory. It says what became of the terminal and of Ctrl-C.
func attachHelper() {
	interrupts := make(chan os.Signal, 10)
	signal.Notify(interrupts, os.Interrupt)
	before := terminalFacts()
	p := &Provider{Command: []string{os.Args[1]}}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if os.Args[2] == "cancel" {
		go func() {
			for {
				if _, err := os.Stat("ready"); err == nil {
					cancel()
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		}()
	}
	handled, err := p.Attach(ctx, "s")
	fmt.Printf("ATTACHED %v %v\n", handled, err)
	after := terminalFacts()
	status, _ := os.ReadFile("/proc/self/status")
	var ignored uint64
	if _, mask, ok := strings.Cut(string(status), "SigIgn:\t"); ok {
		_, _ = fmt.Sscanf(mask, "%x", &ignored)
	}
	fmt.Printf("RESTORED %v INTERRUPTS %d TTOU %v\n", before == after, len(interrupts), ignored>>(syscall.SIGTTOU-1)&1 != 0)
	if before != after {
		fmt.Printf("before %s\nafter  %s\n", before, after)
	}
}

func terminalFacts() string {
	state, err := term.GetState(0)
	group, _ := unix.IoctlGetInt(0, unix.TIOCGPGRP)
	return fmt.Sprintf("%+v %v foreground %v", state, err, group == unix.Getpgrp())
}

// RPP-14: the executable has the terminal in the foreground; afterwards it is as
// it was, in its modes and its foreground group, however the executable ended.
// Ctrl-C is the executable's alone.
func TestAttach(t *testing.T) {
	t.Parallel()
	foreground := `[ "$(ps -o tpgid= -p $$ | tr -d ' ')" = $$ ] || exit 9
stty raw -echo; printf '\033[?1049h\033[?25lHELLO\n'; `
	for _, tt := range []struct {
		name, body, mode string
		keys             string // sent once "ready" is there
		want             string
		reset            bool // the screen is put in order
	}{
		{name: "detaches", body: foreground + `read line; exit 0`, keys: "x\n", want: "ATTACHED true <nil>"},
		{name: "fails", body: foreground + `exit 3`, want: `ATTACHED false attach "s": exit status 3`},
		{name: "has no attach", body: `exit 2`, want: "ATTACHED false <nil>"},
		{name: "dies of a signal", body: foreground + `kill -KILL $$`, want: `ATTACHED false attach "s": ended by signal 9 (killed)`, reset: true},
		{name: "is canceled", mode: "cancel", body: foreground + `echo >ready; sleep 60`, want: `ATTACHED false attach "s": context canceled`, reset: true},
		{name: "takes Ctrl-C", body: `trap 'echo GOT INT; exit 0' INT; echo >ready; while :; do sleep 0.02; done`, keys: "\x03", want: "ATTACHED true <nil>"},
		{name: "dies of Ctrl-C", body: `echo >ready; exec sleep 60`, keys: "\x03", want: `ATTACHED false attach "s": ended by signal 2 (interrupt)`, reset: true},
		{name: "is stopped by Ctrl-Z", body: `trap 'kill $!; exit 0' CONT; sleep 60 & echo >ready; wait`, keys: "\x1a", want: "ATTACHED true <nil>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rt := script(t, tt.body)
			p := helper(t, "attach")
			p.Dir = rt.Dir
			cmd, err := p.command(rt.Command[0], tt.mode) // our arguments, not an operation
			if err != nil {
				t.Fatal(err)
			}
			cmd.Env = append(p.Env, "TERM=xterm")
			tty, err := pty.Start(cmd) // a session leader with it as controlling terminal
			if err != nil {
				t.Fatal(err)
			}
			var screen lockedBuffer
			read := make(chan struct{})
			go func() { _, _ = screen.ReadFrom(tty); close(read) }()
			if tt.keys != "" {
				what := "ready"
				if strings.HasPrefix(tt.body, foreground) {
					waitUntil(t, "HELLO", func() (bool, string) { s := screen.String(); return strings.Contains(s, "HELLO"), s })
				} else {
					readWhen(t, filepath.Join(rt.Dir, what))
				}
				if _, err := tty.WriteString(tt.keys); err != nil {
					t.Fatal(err)
				}
			}
			waitUntil(t, "RESTORED", func() (bool, string) { s := screen.String(); return strings.Contains(s, "TTOU"), s })
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
			tty.Close()
			<-read
			got := screen.String()
			for _, want := range []string{tt.want + "\r\n", "RESTORED true INTERRUPTS 0 TTOU false"} {
				if !strings.Contains(got, want) {
					t.Errorf("want %q in:\n%q", want, got)
				}
			}
			if strings.Contains(got, screenReset) != tt.reset {
				t.Errorf("screen reset: want %v: %q", tt.reset, got)
			}
		})
	}
}

// RPP-14: without a terminal an attach simply runs; a shell in the background of
// one that is not ours is not our concern.
func TestAttachWithoutTerminal(t *testing.T) {
	t.Parallel()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if findTerminal(null) != nil {
		t.Error("the null device is no terminal")
	}
	// A terminal, but not the controlling one.
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	if !term.IsTerminal(int(slave.Fd())) || findTerminal(slave) != nil {
		t.Error("a terminal of somebody else was taken")
	}
}

// lockedBuffer collects what a terminal shows.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) ReadFrom(f *os.File) (int64, error) {
	chunk := make([]byte, 4096)
	for {
		n, err := f.Read(chunk)
		b.mu.Lock()
		b.buf.Write(chunk[:n])
		b.mu.Unlock()
		if err != nil {
			return int64(b.buf.Len()), err
		}
	}
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
