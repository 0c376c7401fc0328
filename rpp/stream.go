package rpp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// A stream carries one output of the executable to a writer.
type stream struct {
	pipe *os.File
	to   io.Writer
	done chan struct{}
	err  error // the writer's; read it after done
}

// collect reads until the end, or until the pipe's read deadline: then it takes
// what is there and waits no more. A writer's error ends the executable.
func (s *stream) collect(cancel func()) {
	defer close(s.done)
	buf := make([]byte, 32<<10)
	for s.err == nil {
		n, err := s.pipe.Read(buf)
		if n > 0 {
			_, s.err = s.to.Write(buf[:n])
		}
		if err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				s.rest(buf)
			}
			break
		}
	}
	if s.err != nil {
		cancel()
	}
}

// rest reads what lies in the pipe without waiting. Go's Read looks at the
// deadline before it looks at the pipe, so on a busy machine what the executable
// wrote before it exited could still lie there: reading by hand loses nothing.
// The bound is the largest pipe that Linux gives (1 MiB), for a daemon that
// never stops writing.
func (s *stream) rest(buf []byte) {
	if s.pipe.SetReadDeadline(time.Time{}) != nil {
		return
	}
	raw, err := s.pipe.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Read(func(fd uintptr) bool {
		for got := 0; got < 1<<20 && s.err == nil; {
			n, err := syscall.Read(int(fd), buf) // never blocks: Go's pipes are non-blocking
			if err == syscall.EINTR {
				continue
			}
			if n <= 0 {
				break
			}
			got += n
			_, s.err = s.to.Write(buf[:n])
		}
		return true
	})
}

// MaxOutput bounds what an operation may print. The largest answer in practice
// is a scrollback; an executable gone wild must not take the caller's memory.
const MaxOutput = 32 << 20

// An answer is the standard output of an operation.
type answer struct{ bytes.Buffer }

func (a *answer) Write(p []byte) (int, error) {
	if a.Len()+len(p) > MaxOutput {
		return 0, ErrTooMuchOutput
	}
	return a.Buffer.Write(p)
}

// Complaints are the standard error of an operation: its head and its tail, and
// whether it ever said that the name is taken, which must not be missed in the
// middle that is left out, for it is what keeps a live session from teardown.
type complaints struct {
	head, tail []byte
	left       int // bytes left out between them
	taken      bool
	window     []byte // the last bytes, lower case, for a phrase that was cut in two
}

const complaintsHalf = 32 << 10

var takenPhrases = [][]byte{[]byte("already exists"), []byte("already running")}

func (c *complaints) Write(p []byte) (int, error) {
	c.look(p)
	n := min(len(p), complaintsHalf-len(c.head))
	c.head = append(c.head, p[:n]...)
	c.tail = append(c.tail, p[n:]...)
	if over := len(c.tail) - complaintsHalf; over > 0 {
		c.left += over
		c.tail = append(c.tail[:0], c.tail[over:]...)
	}
	return len(p), nil
}

func (c *complaints) look(p []byte) {
	c.window = append(c.window, bytes.ToLower(p)...)
	for _, phrase := range takenPhrases {
		c.taken = c.taken || bytes.Contains(c.window, phrase)
	}
	if keep := len("already running") - 1; len(c.window) > keep {
		c.window = append(c.window[:0], c.window[len(c.window)-keep:]...)
	}
}

func (c *complaints) String() string {
	if c.left == 0 {
		return string(c.head) + string(c.tail)
	}
	return fmt.Sprintf("%s\n[%d bytes left out]\n%s", c.head, c.left, c.tail)
}
