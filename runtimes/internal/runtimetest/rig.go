// Package runtimetest is what every shipped runtime has to show, whatever its boxes
// are: [Suite] drives a runtime's executable, one operation a process, as a caller
// of the protocol does.
package runtimetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/internal/agent"
	"github.com/gastownhall/tmux-carrier/rpp"
)

// patience is how long a Wait waits: many times what a loaded machine needs.
const patience = 30 * time.Second

// A Rig is a runtime under test, with a state directory and a work_dir of its own.
type Rig struct {
	Argv []string // the runtime's executable
	Env  []string // its environment, all of it
	Work string   // the work_dir, the same in the box as here

	// Demo is the command of the demo agent in the box, without its flags.
	Demo string
}

// Result is how one operation ended.
type Result struct {
	Out, Err string
	Code     int
}

// Command is one operation, not yet run.
func (r *Rig) Command(args ...string) *exec.Cmd {
	argv := slices.Concat(r.Argv, args)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = r.Env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // as a caller runs it
	return cmd
}

// Run runs one operation to its end.
func (r *Rig) Run(t testing.TB, stdin string, args ...string) Result {
	t.Helper()
	var out, stderr bytes.Buffer
	cmd := r.Command(args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &stderr
	cmd.WaitDelay = 100 * time.Millisecond // somebody in the box may keep the pipes
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	timer := time.AfterFunc(2*patience, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		t.Fatalf("%v: %v", args, err)
	}
	return Result{Out: out.String(), Err: stderr.String(), Code: cmd.ProcessState.ExitCode()}
}

// Must runs one operation that has to succeed, and returns what it printed.
func (r *Rig) Must(t testing.TB, stdin string, args ...string) string {
	t.Helper()
	got := r.Run(t, stdin, args...)
	if got.Code != 0 {
		t.Fatalf("%v: exit %d\n%s%s", args, got.Code, got.Out, got.Err)
	}
	return got.Out
}

// Start starts a session, in the rig's work_dir unless cfg names another, and stops
// it with the test.
func (r *Rig) Start(t testing.TB, name string, cfg rpp.StartConfig) Result {
	t.Helper()
	return r.build(t, "start", name, cfg)
}

// Provision makes the box of a session, without its agent.
func (r *Rig) Provision(t testing.TB, name string, cfg rpp.StartConfig) Result {
	t.Helper()
	return r.build(t, "provision", name, cfg)
}

func (r *Rig) build(t testing.TB, op, name string, cfg rpp.StartConfig) Result {
	t.Helper()
	if cfg.WorkDir == "" {
		cfg.WorkDir = r.Work
	}
	t.Cleanup(func() { r.Must(t, "", "stop", name) })
	return r.Run(t, Config(t, cfg), op, name)
}

// MustStart is Start of a session that has to start without a warning.
func (r *Rig) MustStart(t testing.TB, name string, cfg rpp.StartConfig) {
	t.Helper()
	if got := r.Start(t, name, cfg); got != (Result{}) {
		t.Fatalf("start %s: exit %d\n%s%s", name, got.Code, got.Out, got.Err)
	}
}

// Config is a start config as it goes over the wire.
func Config(t testing.TB, cfg rpp.StartConfig) string {
	t.Helper()
	data, err := json.Marshal(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Agent is the command of a demo agent that logs to the work_dir.
func (r *Rig) Agent(flags ...string) string {
	return strings.Join(append([]string{r.Demo, "--log", r.log()}, flags...), " ")
}

func (r *Rig) log() string { return filepath.Join(r.Work, "agent.log") }

// Log is what the demo agents did so far.
func (r *Rig) Log(t testing.TB) agent.Log {
	t.Helper()
	log, err := agent.ReadLog(r.log())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return log
}

// Wait waits until done, and shows the session's screen when it gives up.
func (r *Rig) Wait(t testing.TB, name, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			peek := r.Run(t, "", "peek", name, "0")
			t.Fatalf("%s: not within %v; %s shows:\n%s%s", what, patience, name, strings.TrimRight(peek.Out, "\n"), peek.Err)
		}
	}
}

// WaitFile waits for a file of the work_dir, whole, and returns what it holds.
func (r *Rig) WaitFile(t testing.TB, name, file string) string {
	t.Helper()
	path := filepath.Join(r.Work, file)
	r.Wait(t, name, file, func() bool { _, err := os.Stat(path); return err == nil })
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Running asks is-running.
func (r *Rig) Running(t testing.TB, name string) bool {
	t.Helper()
	return r.Must(t, "", "is-running", name) == "true\n"
}

// Exec runs a command in the box; it has to succeed.
func (r *Rig) Exec(t testing.TB, name, command string) string {
	t.Helper()
	return r.Must(t, command, "exec", name)
}

// Canceled starts an operation, waits for it to have come somewhere, and cancels it
// as a caller does. It returns how long it took from there, and its exit code.
func (r *Rig) Canceled(t testing.TB, stdin string, there func() bool, sig syscall.Signal, args ...string) (time.Duration, int) {
	t.Helper()
	cmd := r.Command(args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), io.Discard, io.Discard
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for !there() {
		if ctx.Err() != nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			t.Fatalf("%v never came where it was to be canceled", args)
		}
		time.Sleep(5 * time.Millisecond)
	}
	began := time.Now()
	if sig == syscall.SIGKILL {
		_ = cmd.Process.Kill() // the executable alone, as a caller does
	} else {
		_ = syscall.Kill(-cmd.Process.Pid, sig)
	}
	_ = cmd.Wait()
	return time.Since(began), cmd.ProcessState.ExitCode()
}
