// Command with-engine runs a command with a container engine: the one of the
// machine, or a private one that it starts and, as the last user, stops,
// whether the command succeeds, fails or is interrupted.
//
//	with-engine [-require] COMMAND [ARGUMENT...]
//
// Without an engine the command runs all the same, unless -require is given.
// The exit status is the command's.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/gastownhall/tmux-carrier/internal/engine"
)

func main() { os.Exit(run()) }

func run() int {
	require := flag.Bool("require", false, "fail where there is no engine")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: with-engine [-require] COMMAND [ARGUMENT...]")
		return 64
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()

	type acquired struct {
		e   *engine.Engine
		err error
	}
	begun := time.Now()
	ready := make(chan acquired, 1)
	go func() {
		e, err := engine.Acquire(ctx)
		ready <- acquired{e, err}
	}()
	var a acquired
	select {
	case a = <-ready:
	case s := <-signals:
		cancel()
		if a = <-ready; a.e != nil {
			release(a.e)
		}
		return 128 + int(s.(syscall.Signal))
	}
	if a.err != nil {
		say("%v", a.err)
		if *require {
			return 69
		}
		return command(signals, nil)
	}
	defer release(a.e)
	if a.e.Private {
		say("a private dockerd %s answers after %.1f s", a.e.Version, time.Since(begun).Seconds())
	}
	return command(signals, a.e.Env())
}

// command runs the command and passes signals on to it: it is waited for
// whatever happens, since its containers need the engine to end.
func command(signals <-chan os.Signal, env []string) int {
	cmd := exec.Command(flag.Arg(0), flag.Args()[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), env...)
	if err := cmd.Start(); err != nil {
		say("%v", err)
		return 127
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			_ = cmd.Process.Signal(s)
		case err := <-done:
			return exitCode(err)
		}
	}
}

// exitCode tells a command that a signal ended as a shell does.
func exitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case !errors.As(err, &exit):
		return 1
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return exit.ExitCode()
}

func release(e *engine.Engine) {
	left, err := e.Release()
	if len(left) > 0 {
		say("removed containers that were left: %s", strings.Join(left, " "))
	}
	if err != nil {
		say("%v", err)
	}
}

func say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "with-engine: "+format+"\n", args...)
}
