package rpp

import (
	"context"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// Attach gives the caller's terminal (its standard input, output and error) to
// the session until it detaches. The executable runs in the terminal's foreground
// process group, so that Ctrl-C is its own and not the caller's, without a
// deadline; the terminal is left as it was found, however the executable ended
// (RPP-14). Without a terminal it simply runs.
func (p *Provider) Attach(ctx context.Context, name string) (handled bool, err error) {
	c := call{op: "attach", args: []string{name}}
	if err := checkArgs(c.op, c.args); err != nil {
		return false, err
	}
	if err := ctx.Err(); err != nil {
		return false, c.failed(err, nil)
	}
	cmd, err := p.command(c.op, c.args...)
	if err != nil {
		return false, c.failed(err, nil)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	tty := findTerminal(os.Stdin)
	if tty != nil {
		cmd.SysProcAttr.Foreground, cmd.SysProcAttr.Ctty = true, tty.fd
	}

	began := time.Now()
	if err := cmd.Start(); err != nil {
		return false, c.failed(err, nil)
	}
	exited := make(chan struct{})
	var status syscall.WaitStatus
	var waitErr error
	go func() {
		status, waitErr = waitGoingOn(cmd.Process.Pid)
		close(exited)
	}()
	await(ctx, cmd.Process, exited, false)
	canceled := ctx.Err() != nil
	_ = cmd.Process.Release() // reaped by waitGoingOn
	switch {
	case canceled:
		err = c.failed(ctx.Err(), nil)
	case waitErr != nil:
		err = c.failed(waitErr, nil)
	default:
		err = c.ended(status, &complaints{})
	}
	if tty != nil {
		tty.takeBack(unanswered(err))
	}
	p.log(ctx, c, time.Since(began), 0, err)
	return done(err)
}

// waitGoingOn waits for the exit of a process. One that stops (Ctrl-Z) is told to
// go on: nobody else would, since its parent is not the shell, and the terminal
// would be dead.
func waitGoingOn(pid int) (syscall.WaitStatus, error) {
	for {
		var status syscall.WaitStatus
		_, err := syscall.Wait4(pid, &status, syscall.WUNTRACED, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return 0, err
		case status.Stopped():
			_ = syscall.Kill(-pid, syscall.SIGCONT)
		default:
			return status, nil
		}
	}
}

// A terminal is one as it was found.
type terminal struct {
	file  *os.File
	fd    int
	group int // in the foreground
	state *term.State
}

// findTerminal is nil unless the file is this process's controlling terminal: of
// another one nobody may set the foreground group.
func findTerminal(file *os.File) *terminal {
	fd := int(file.Fd())
	group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP)
	if err != nil {
		return nil
	}
	state, err := term.GetState(fd)
	if err != nil {
		return nil
	}
	return &terminal{file, fd, group, state}
}

// screenReset undoes what a full-screen program would have undone itself, had it
// not been killed: alternate screen, mouse, focus and paste reports, and (soft
// reset) hidden cursor, margins, styles. All of it does nothing on a terminal
// that is in order.
const screenReset = "\x1b[?1047l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[!p"

// takeBack makes it what it was. The caller is in the background now, and a
// background process that touches the terminal is stopped by SIGTTOU.
func (t *terminal) takeBack(reset bool) {
	withoutTTOU(func() {
		_ = unix.IoctlSetPointerInt(t.fd, unix.TIOCSPGRP, t.group)
		_ = term.Restore(t.fd, t.state)
	})
	if kind := os.Getenv("TERM"); reset && kind != "" && kind != "dumb" {
		_, _ = t.file.WriteString(screenReset)
	}
}
