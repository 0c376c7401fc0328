package rpp

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"unicode"
)

var (
	// ErrExists: the name is taken by a live session, which must not be torn
	// down. From Start and Provision (RPP-8).
	ErrExists = errors.New("the session already exists")

	// ErrTemporary: Start failed for now (exit 75) and may be tried again. What
	// the attempt made is torn down all the same.
	ErrTemporary = errors.New("a temporary failure, the start may be tried again")

	// ErrName: a name that no executable is run with: empty, with a leading "-",
	// or with a control character.
	ErrName = errors.New("not a session name")

	// ErrTooMuchOutput: an operation printed more than MaxOutput and was ended.
	ErrTooMuchOutput = errors.New("the executable printed more than 32 MiB")
)

// An OpError is an operation that failed, or that was not heard to the end.
type OpError struct {
	Op      string // as the protocol names it: "start"
	Session string // what the operation was about; empty for protocol

	// Code is the exit code, or -1 when the executable did not come to one by
	// itself: it was not run, was canceled, or died of Signal. Under -1 nobody
	// knows what was done.
	Code   int
	Signal syscall.Signal // 0 unless a signal of another's ended it

	// Stderr is what it printed there, partial when canceled, at most 64 KiB:
	// the head and the tail of more. Empty for exec, whose streams are merged.
	Stderr string

	// Err is the cause that can be tested for: ErrExists, ErrTemporary, the
	// context's error, the reason that it could not be run; nil for a plain exit
	// code. Of exec it wraps box.ErrUnavailable too.
	Err error
}

func (e *OpError) Unwrap() error { return e.Err }

func (e *OpError) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	if e.Session != "" {
		fmt.Fprintf(&b, " %q", e.Session)
	}
	switch {
	case e.Signal != 0:
		fmt.Fprintf(&b, ": ended by signal %d (%v)", e.Signal, e.Signal)
	case e.Code == codeUnknown:
		b.WriteString(": exit status 2 (unknown operation)")
	case e.Code >= 0:
		fmt.Fprintf(&b, ": exit status %d", e.Code)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	if said := oneLine(e.Stderr); said != "" {
		fmt.Fprintf(&b, ": %s", said)
	}
	return b.String()
}

// oneLine is the end of a text, where the reason usually stands, fit for a
// message on somebody's terminal.
func oneLine(s string) string {
	const most = 400
	s = strings.TrimSpace(s)
	cut := len(s) > most
	if cut {
		s = s[len(s)-most:]
	}
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, ""), unicode.IsControl), " ")
	if cut {
		s = "…" + s
	}
	return s
}

// Exit codes of the protocol.
const (
	codeUnknown   = 2  // unknown operation
	codeTemporary = 75 // of start: EX_TEMPFAIL
)

// done sorts the outcome of an operation that an executable need not have:
// exit 2 is a no-op success, told apart from "done".
func done(err error) (handled bool, _ error) {
	if unknown(err) {
		return false, nil
	}
	return err == nil, err
}

// unknown: the executable exited 2 by itself.
func unknown(err error) bool {
	var e *OpError
	return errors.As(err, &e) && e.Code == codeUnknown
}

// unanswered: the executable did not come to an exit code of its own.
func unanswered(err error) bool {
	var e *OpError
	return errors.As(err, &e) && e.Code < 0
}
