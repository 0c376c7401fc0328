// Command tmux-carrier drives agents that live in tmux, in boxes that a runtime
// makes: one verb a thing that a person does. It holds no logic of its own: flags in,
// a verb of the library called, text or JSON out.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/gastownhall/tmux-carrier/internal/agent"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/runtimes/docker"
	"github.com/gastownhall/tmux-carrier/runtimes/local"
)

// embedded are the programs that this one is besides, by their first argument: the
// shipped runtimes, so that nothing needs to be installed, and the demo's agent.
var embedded = map[string]func(args []string) int{
	"gc-session-docker": func(args []string) int { return rpp.Run(docker.Runtime(docker.FromEnv()), args) },
	"gc-session-tmux":   func(args []string) int { return rpp.Run(local.Runtime(), args) },
	"demo-agent":        agent.Main,
}

func main() { os.Exit(run()) }

func run() (code int) {
	if len(os.Args) > 1 {
		if program, ok := embedded[os.Args[1]]; ok {
			return program(os.Args[2:])
		}
	}
	// Go's panic exits 2, which is the protocol's "unknown operation". One in a
	// goroutine cannot be caught; this makes it an abort.
	debug.SetTraceback("crash")
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(os.Stderr, "failed: panic: %v\n%s", r, debug.Stack())
			code = 1
		}
	}()

	signals := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	return execute(ctx, &program{in: os.Stdin, out: os.Stdout, err: os.Stderr}, os.Args[1:])
}
