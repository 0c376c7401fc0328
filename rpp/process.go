package rpp

import (
	"context"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

const (
	// grace is the time for a rollback between SIGTERM and SIGKILL.
	grace = 2 * time.Second

	// reap is how long a killed process may take to be gone. One in
	// uninterruptible sleep (a dead NFS server) takes for ever: it is left to
	// the kernel, the call returns.
	reap = 300 * time.Millisecond

	// drain is how long output is awaited after the executable's exit when
	// somebody else holds the pipe: a daemon that it left behind (RPP-9), or the
	// last helper of its own (`> >(tee log)`), which needs a few ms.
	drain = 50 * time.Millisecond
)

// A process is one run of an executable, in a process group of its own. os/exec
// waits for whoever holds the output, and its WaitDelay turns a success into an
// error then; hence our own pipes.
type process struct {
	cmd    *exec.Cmd
	stdin  string
	stdout io.Writer
	stderr io.Writer // nil: goes where stdout goes, in the order it comes
	kill   bool      // on cancel: SIGKILL at once (RPP-4)
}

// run runs it and returns how it ended. An error is the reason why that is not
// known or does not count: it could not be run, ctx ended first, or a writer
// refused the output, which ends the executable as a cancel does.
func (p process) run(parent context.Context) (syscall.WaitStatus, error) {
	if err := parent.Err(); err != nil {
		return 0, err
	}
	ctx, cancel := context.WithCancel(parent)
	defer cancel()

	streams, stdin, err := p.start()
	if err != nil {
		return 0, err
	}
	defer func() {
		stdin.Close() // frees the writer when nobody reads
		for _, s := range streams {
			s.pipe.Close()
		}
	}()
	for _, s := range streams {
		go s.collect(cancel)
	}
	go func() {
		// An error is a reader that is gone or did not care (EPIPE): what counts
		// is the exit code.
		_, _ = io.WriteString(stdin, p.stdin)
		stdin.Close()
	}()

	exited := make(chan struct{})
	go func() {
		_ = p.cmd.Wait() // no goroutines of its own to wait for: all files are ours
		close(exited)
	}()
	await(ctx, p.cmd.Process, exited, p.kill)
	canceled := ctx.Err() != nil

	for _, s := range streams {
		_ = s.pipe.SetReadDeadline(time.Now().Add(drain))
	}
	for _, s := range streams {
		<-s.done
		if s.err != nil {
			return 0, s.err
		}
	}
	if canceled { // outranks every exit status
		return 0, parent.Err()
	}
	return p.cmd.ProcessState.Sys().(syscall.WaitStatus), nil
}

// start connects the pipes and starts the executable; our ends come back.
func (p process) start() (streams []*stream, stdin *os.File, err error) {
	var theirs, ours []*os.File
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
		if err != nil {
			for _, f := range ours {
				f.Close()
			}
		}
	}()
	pipe := func() (r, w *os.File) {
		if err == nil {
			r, w, err = os.Pipe()
		}
		return r, w
	}
	output := func(to io.Writer) *os.File {
		r, w := pipe()
		ours, theirs = append(ours, r), append(theirs, w)
		streams = append(streams, &stream{pipe: r, to: to, done: make(chan struct{})})
		return w
	}

	r, w := pipe()
	theirs, ours = append(theirs, r), append(ours, w)
	out := output(p.stdout)
	errOut := out
	if p.stderr != nil {
		errOut = output(p.stderr)
	}
	if err != nil {
		return nil, nil, err
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = r, out, errOut
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return streams, w, p.cmd.Start()
}

// await waits for the exit, and once ctx ends makes it come (RPP-3): SIGTERM to
// the group, so that a helper in front stops too, then SIGKILL to the executable
// alone, as the protocol has it: what it started on purpose is not ours to kill.
// Unless ctx ended, the executable is gone on return.
func await(ctx context.Context, proc *os.Process, exited <-chan struct{}, kill bool) {
	select {
	case <-exited:
		return
	case <-ctx.Done():
	}
	if !kill {
		_ = syscall.Kill(-proc.Pid, syscall.SIGTERM)
		select {
		case <-exited:
			return
		case <-time.After(grace):
		}
	}
	_ = proc.Kill()
	select {
	case <-exited:
	case <-time.After(reap):
	}
}
