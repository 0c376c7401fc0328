// Package rpp is the wire: Runtime Provider Protocol, version 0, both sides.
//
// A runtime is an executable that makes boxes, in which agents live. It is run
// once an operation, `executable operation session-name args…`, values on
// standard input, the answer on standard output, the outcome as exit code.
//
// The caller's side is [Provider]; start at [New]. It is a box.Conn, which is
// all that the carrier needs, and carries the dedicated operations beside it:
//
//	p, err := rpp.New("exec:gc-session-docker")
//	err = p.Start(ctx, "worker-1", rpp.StartConfig{Command: "claude"})
//	out, code, err := p.Exec(ctx, "worker-1", []string{"uname", "-a"})
//
// The runtime's side is [Runtime], a struct of functions, served by [Main] (or
// [Serve], which is Main without the process around it).
//
// Every operation answers yes, no, or unknown. Unknown is an error, never a
// guess: [*OpError] says which operation on which session, how the executable
// ended and what it said. An operation that the executable does not have (exit
// 2) is no error where the protocol makes it a no-op; those methods return
// handled=false, so that nobody takes "ignored" for "done".
//
// This package never goes through a shell on the host, never puts a text or an
// environment value into an argument, a log or an error, never retries, and
// knows nothing of tmux.
package rpp
