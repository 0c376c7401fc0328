package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/idle"
	"github.com/gastownhall/tmux-carrier/nudge"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/session"
	"github.com/gastownhall/tmux-carrier/sleep"
)

// A failure is an error as the program tells it: a word that scripts can test, and an
// exit code. None is 2, the protocol's "unknown operation", or 255, which is ssh's.
type failure struct {
	holds func(error) bool
	kind  string
	exit  int
}

// failures in the order in which they are tried: an error wraps its causes, and the
// first of them that a caller decides by counts. Whatever stands in none is "failed".
var failures = []failure{
	{as[*usageError], "usage", 64},
	{as[*nudge.KeyError], "usage", 64},
	{is(nudge.ErrIDReused), "usage", 64},
	{is(rpp.ErrName), "usage", 64},
	{as[*interruptedError], "interrupted", 130},
	{as[*nudge.PartialError], "partly-delivered", 6},
	{as[*nudge.TextError], "text", 65},
	{is(fence.ErrStale), "fence-stale", 5},
	{is(fence.ErrUnset), "fence-unset", 5},
	{is(fence.ErrUnsupported), "fence-unsupported", 5},
	{is(fence.ErrMoved), "temporary", 75},
	{is(rpp.ErrExists), "exists", 1},
	{as[*session.EndedError], "failed", 1}, // whether or not its session went with it
	{is(rpp.ErrTemporary), "temporary", 75},
	{is(sleep.ErrHeld), "temporary", 75},
	{is(idle.ErrUnsupported), "idle-unsupported", 1},
	{is(box.ErrExecUnsupported), "fallback-unsupported", 1},
	{is(errUnsupported), "fallback-unsupported", 1},
	{is(box.ErrAbsent), "absent", 4},
	{is(box.ErrUnavailable), "unavailable", 69},
	{is(context.DeadlineExceeded), "unavailable", 69},
	{as[*exec.Error], "unavailable", 69}, // the runtime's executable is not to be found
}

var failed = failure{kind: "failed", exit: 1}

// classify finds what an error is. Two kinds stand in the error itself: why nothing
// was typed, and what the agent does instead of being idle.
func classify(err error) failure {
	var refused *fence.RefusedError
	var state *stateError
	switch {
	case as[*usageError](err), as[*interruptedError](err), as[*nudge.PartialError](err):
	case errors.As(err, &refused):
		return failure{kind: string(refused.Reason), exit: 3}
	case errors.As(err, &state):
		return failure{kind: state.proof.Verdict.Kind.String(), exit: 3}
	}
	for _, f := range failures {
		if f.holds(err) {
			return f
		}
	}
	return failed
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

func as[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}

// fail tells of an error on standard error, and returns the exit code.
func (p *program) fail(ctx context.Context, err error) int {
	stage := nudge.Nothing
	if input := (*inputError)(nil); errors.As(err, &input) {
		stage = input.stage
	}
	if ctx.Err() != nil && !as[*usageError](err) {
		err = &interruptedError{err}
	}
	f := classify(err)
	in := word(stage)
	if p.json {
		type told struct {
			Kind    string `json:"kind"`
			Message string `json:"message"`
			Stage   string `json:"stage"`
		}
		printJSON(p.err, struct {
			Error told `json:"error"`
		}{told{f.kind, err.Error(), in}})
		return f.exit
	}
	message := err.Error()
	if f.exit == 69 || f.exit == 130 {
		message += "; went in: " + in
	}
	fmt.Fprintf(p.err, "%s: %s\n", f.kind, printable(message))
	return f.exit
}

// word says what is known of the input that went in.
func word(s nudge.Stage) string {
	switch s {
	case nudge.Typed:
		return "text"
	case nudge.Nothing, nudge.Submitted:
		return string(s)
	default:
		return "unknown"
	}
}

// inputError adds how far the input came.
type inputError struct {
	stage nudge.Stage
	err   error
}

func (e *inputError) Error() string { return e.err.Error() }
func (e *inputError) Unwrap() error { return e.err }

// input is nil for nil.
func input(stage nudge.Stage, err error) error {
	if err == nil {
		return nil
	}
	return &inputError{stage, err}
}

// errUnsupported: an operation that the runtime need not have.
var errUnsupported = errors.New("the runtime does not have the operation")

// usageError: the command line is wrong, and nothing was done.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// interruptedError: a signal ended the verb.
type interruptedError struct{ err error }

func (e *interruptedError) Error() string { return e.err.Error() }
func (e *interruptedError) Unwrap() error { return e.err }

// stateError: the agent is not idle but in another state.
type stateError struct {
	proof idle.Proof
	err   error
}

func (e *stateError) Error() string {
	v := e.proof.Verdict
	text := fmt.Sprintf("session %q is not idle: %s", e.proof.Session, sign(v))
	if v.Line != "" {
		text += fmt.Sprintf(": %q", strings.TrimSpace(v.Line))
	}
	return text
}

func (e *stateError) Unwrap() error { return e.err }
