package rpp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime/debug"
	"strings"
)

// Serve runs one operation of a runtime: args is the operation, the session's
// name and the rest, as they stand on the executable's command line. It returns
// the exit code: 0, 1 for a failure with its text on stderr, 2 for an operation
// that is unknown or that rt has not, 75 for a Start that failed with
// ErrTemporary, and for exec the command's own.
//
// Cancel ctx on SIGTERM: Serve waits for the operation's rollback and returns
// 1, also when the operation came to its end. A panic of the operation is 1 too,
// since Go's own 2 would read as "unknown operation" (RPP-13).
func Serve(ctx context.Context, rt Runtime, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(stderr, "%s: panic: %v\n%s", strings.Join(args[:min(1, len(args))], ""), r, debug.Stack())
			code = 1
		}
	}()
	if len(args) == 0 {
		fmt.Fprintln(stderr, "usage: <runtime> <operation> [<session> [<argument>…]]")
		return 1
	}
	s := &server{Runtime: rt, op: args[0], args: args[1:], stdin: stdin, stdout: stdout, stderr: stderr}
	err := s.serve(ctx)
	if ctx.Err() != nil && !errors.Is(err, errNotServed) {
		err = errors.Join(fmt.Errorf("canceled: %w", ctx.Err()), err)
		fmt.Fprintln(stderr, s.message(err))
		return 1
	}
	var exit exitCode
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return int(exit)
	case errors.Is(err, errNotServed):
		return codeUnknown
	}
	fmt.Fprintln(stderr, s.message(err))
	if s.op == "start" && errors.Is(err, ErrTemporary) && !errors.Is(err, ErrExists) {
		return codeTemporary
	}
	return 1
}

// errNotServed is an operation that is not there.
var errNotServed = errors.New("unknown operation")

// exitCode is the exit code of an exec's command.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit status %d", int(c)) }

// A server answers one operation.
type server struct {
	Runtime
	op             string
	args           []string
	stdin          io.Reader
	stdout, stderr io.Writer
}

// message is the error as the caller shall read it. A start's caller looks for
// the words "already exists" in all of its standard error, and leaves the box
// standing if they are there: only ErrExists may say them, and it must.
func (s *server) message(err error) string {
	text := s.op + ": " + err.Error()
	if !errors.Is(err, ErrExists) {
		return s.unclaimed(text)
	}
	if !strings.Contains(strings.ToLower(text), "already exists") {
		text += ": " + ErrExists.Error()
	}
	return text
}

var claim = regexp.MustCompile(`(?i)\b(already) (exists|running)`)

// unclaimed takes those words out of other messages of a start ("mkdir: file
// already exists").
func (s *server) unclaimed(text string) string {
	if s.op != "start" && s.op != "provision" {
		return text
	}
	return claim.ReplaceAllString(text, "$1-$2")
}

// warn writes what failed without failing the start, every line marked (RUN-2).
func (s *server) warn(format string, args ...any) {
	text := strings.TrimRight(fmt.Sprintf(format, args...), "\n")
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(s.stderr, "warning: %s\n", s.unclaimed(line))
	}
}

// input reads standard input whole, but not longer than ctx lasts: a caller that
// never closes it must not keep a canceled operation.
func (s *server) input(ctx context.Context) (string, error) {
	type result struct {
		data []byte
		err  error
	}
	read := make(chan result, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(s.stdin, MaxOutput+1))
		read <- result{data, err}
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case r := <-read:
		if r.err == nil && len(r.data) > MaxOutput {
			r.err = errors.New("more than 32 MiB")
		}
		if r.err != nil {
			return "", fmt.Errorf("standard input: %w", r.err)
		}
		return string(r.data), nil
	}
}

// arg is an argument after the session's name; the last ones may be absent.
func (s *server) arg(i int) string {
	if i+1 < len(s.args) {
		return s.args[i+1]
	}
	return ""
}
