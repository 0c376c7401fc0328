package rpp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A Provider runs the operations of one runtime executable. Its methods may be
// called from any number of goroutines. Do not copy it after first use.
type Provider struct {
	// Command is the executable and its leading arguments: the operation and what
	// belongs to it follow. An embedded runtime is {"/proc/self/exe", "its-name"}.
	Command []string

	Env []string     // the executable's environment; nil: the caller's (RPP-11)
	Dir string       // its working directory; empty: the caller's
	Log *slog.Logger // nil: none. Debug only: operations, outcomes, sizes; no values

	shake handshake
}

// New finds the runtime that a specification names, in the form of GC_SESSION:
// `exec:<path or name>`, the prefix being optional. With a separator it is a
// path, which is made absolute now; a bare name is looked for on PATH (RPP-1).
func New(spec string) (*Provider, error) {
	command := strings.TrimPrefix(spec, "exec:")
	if command == "" {
		return nil, fmt.Errorf("runtime %q: names no executable", spec)
	}
	// LookPath does both, takes no executable of the current directory for a
	// bare name, and says what is wrong with one that cannot be run.
	path, err := exec.LookPath(command)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return nil, fmt.Errorf("runtime %q: %w", spec, err)
	}
	return &Provider{Command: []string{path}}, nil
}

// A call is one operation.
type call struct {
	op     string
	args   []string // the session's name first
	stdin  string
	stdout io.Writer // nil: it is the answer
	merged bool      // standard error into standard output
}

// deadline is the longest that an operation takes (RPP-5); 0 is as long as the
// caller's context.
func deadline(op string) time.Duration {
	switch op {
	case "start", "provision":
		return 120 * time.Second
	case "attach", "watch-startup":
		return 0
	}
	return 30 * time.Second
}

// killed: canceled by SIGKILL at once (RPP-4).
func killed(op string) bool { return op == "exec" || op == "watch-startup" }

// do runs an operation. The error is nil for exit 0; else it is an *OpError, or
// the refusal of a name, in which case nothing was run.
func (p *Provider) do(ctx context.Context, c call) (string, error) {
	if err := checkArgs(c.op, c.args); err != nil {
		return "", err
	}
	if limit := deadline(c.op); limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	cmd, err := p.command(c.op, c.args...)
	if err != nil {
		return "", c.failed(err, nil)
	}
	var out answer
	errOut := &complaints{}
	run := process{cmd: cmd, stdin: c.stdin, stdout: &out, stderr: errOut, kill: killed(c.op)}
	if c.stdout != nil {
		run.stdout = c.stdout
	}
	if c.merged {
		run.stderr = nil
	}
	began := time.Now()
	status, err := run.run(ctx)
	if err != nil {
		err = c.failed(err, errOut)
	} else {
		err = c.ended(status, errOut)
	}
	p.log(ctx, c, time.Since(began), out.Len(), err)
	return out.String(), err
}

// command is the executable, ready to be run.
func (p *Provider) command(op string, args ...string) (*exec.Cmd, error) {
	if len(p.Command) == 0 {
		return nil, errors.New("the provider names no executable")
	}
	argv := append(append(append([]string{}, p.Command[1:]...), op), args...)
	cmd := exec.Command(p.Command[0], argv...)
	cmd.Env, cmd.Dir = p.Env, p.Dir
	return cmd, nil
}

func (c call) session() string {
	if len(c.args) == 0 {
		return ""
	}
	return c.args[0]
}

// failed is an executable that came to no exit code.
func (c call) failed(err error, said *complaints) error {
	e := &OpError{Op: c.op, Session: c.session(), Code: -1, Err: err}
	if said != nil {
		e.Stderr = said.String()
	}
	return e
}

// ended reads how an executable ended by itself (RPP-2, RPP-8).
func (c call) ended(status syscall.WaitStatus, said *complaints) error {
	if status.Exited() && status.ExitStatus() == 0 {
		return nil
	}
	e := &OpError{Op: c.op, Session: c.session(), Code: -1, Stderr: said.String()}
	if status.Signaled() {
		e.Signal = status.Signal()
		return e
	}
	e.Code = status.ExitStatus()
	switch {
	case said.taken && (c.op == "start" || c.op == "provision"):
		e.Err = ErrExists
	case e.Code == codeTemporary && c.op == "start":
		e.Err = ErrTemporary
	}
	return e
}

func (p *Provider) log(ctx context.Context, c call, took time.Duration, out int, err error) {
	if p.Log == nil {
		return
	}
	attrs := []slog.Attr{
		slog.String("op", c.op), slog.String("session", c.session()),
		slog.Duration("took", took), slog.Int("stdin", len(c.stdin)), slog.Int("stdout", out),
	}
	if e := (*OpError)(nil); errors.As(err, &e) {
		// The cause, not what it said: that may quote what it was given.
		attrs = append(attrs, slog.Int("code", e.Code), slog.Any("cause", e.Err))
	}
	p.Log.LogAttrs(ctx, slog.LevelDebug, "runtime operation", attrs...)
}
