package rpp

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// Main is the whole main of a runtime: it serves the operation on the command
// line and exits.
func Main(rt Runtime) {
	os.Exit(Run(rt, os.Args[1:]))
}

// Run is Main for a program that has the runtime beside other things: it serves
// one operation on the process's standard streams, cancels it on SIGTERM, and
// returns the exit code. The process belongs to it from then on.
func Run(rt Runtime, args []string) int {
	// A panic that Serve cannot catch (in a goroutine of the runtime's) would exit
	// 2, "unknown operation: done". This makes it an abort.
	debug.SetTraceback("crash")

	// SIGINT and SIGHUP reach an attach together with the program that has the
	// terminal, whose they are; elsewhere they cancel as SIGTERM does.
	cancelers := []os.Signal{syscall.SIGTERM}
	var others []os.Signal
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGHUP} {
		if !signal.Ignored(s) { // as nohup has it
			others = append(others, s)
		}
	}
	if len(args) == 0 || args[0] != "attach" {
		cancelers = append(cancelers, others...)
		others = nil
	}
	ctx, stop := signal.NotifyContext(context.Background(), cancelers...)
	defer stop()

	// A canceled caller closes the pipes. Caught, SIGPIPE does not end the process
	// in its rollback, and its children have the default again, as they would not
	// if it were ignored.
	signal.Notify(make(chan os.Signal, 1), append(others, syscall.SIGPIPE)...)

	return Serve(ctx, rt, args, os.Stdin, os.Stdout, os.Stderr)
}
