package mark

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"
)

// Variable is the environment variable that marks a process, as NAME=id.
const Variable = "TMUX_CARRIER_BOX"

const (
	poll = 20 * time.Millisecond
	// killing is how long a killed process may take to be gone. One in
	// uninterruptible sleep takes for ever.
	killing = 3 * time.Second
)

// End ends every process that is marked with id: it asks with TERM, and kills what
// is there after grace. An error says that some are left. The caller itself is
// spared, for it may be one: an agent can stop its own session.
func End(ctx context.Context, id string, grace time.Duration) error {
	e := ending{id: id, left: map[int]process{}}
	if !e.until(ctx, grace, func(first bool, p process) {
		if first {
			p.signal(syscall.SIGTERM)
			p.signal(syscall.SIGCONT) // a stopped one takes its TERM only then
		}
	}) && !e.until(ctx, killing, func(_ bool, p process) { p.signal(syscall.SIGKILL) }) {
		return fmt.Errorf("%d processes of the box cannot be ended: %w", len(e.left), os.ErrDeadlineExceeded)
	}
	return nil
}

// ending keeps what was found once: a process whose parent was ended first has lost
// what connected it with the box.
type ending struct {
	id   string
	left map[int]process
}

// until tells each process, again and again, until none is left or the time is up.
// New ones turn up as long as one of them forks.
func (e *ending) until(ctx context.Context, limit time.Duration, tell func(first bool, p process)) bool {
	told := map[process]bool{}
	for deadline := time.Now().Add(limit); ; {
		e.look()
		if len(e.left) == 0 {
			return true
		}
		for _, p := range e.left {
			tell(!told[p], p)
			told[p] = true
		}
		if ctx.Err() != nil || time.Now().After(deadline) {
			return false
		}
		time.Sleep(poll)
	}
}

func (e *ending) look() {
	all := processes(e.id)
	for pid, p := range e.left {
		if now, ok := all[pid]; !ok || now.start != p.start {
			delete(e.left, pid)
		}
	}
	for pid, p := range all {
		if p.belongs(all) && pid != os.Getpid() {
			e.left[pid] = p.process
		}
	}
}

// process is one process: a number alone may be another's tomorrow.
type process struct {
	pid   int
	start string // when it started, as the system counts
}

// signal sends the signal unless the number has become another's. On Linux the
// handle is a pidfd: opened first and checked then, it cannot change hands.
func (p process) signal(sig syscall.Signal) {
	handle, err := os.FindProcess(p.pid)
	if err != nil {
		return
	}
	defer handle.Release()
	if Started(p.pid) == p.start {
		_ = handle.Signal(sig)
	}
}

// relative is a process with what may connect it to a box.
type relative struct {
	process
	parent, session int
	ours, other     bool // carries the box's mark; carries another box's
}

// belongs: it carries the mark; or one of its ancestors does, or the leader of its
// session, and it does not carry the mark of another box, whose processes an agent
// may have started. Only a session whose leader is marked counts: the session of a
// runtime's own commands is that of the terminal that they were typed in.
func (p relative) belongs(all map[int]relative) bool {
	if all[p.session].ours && !p.other {
		return true
	}
	for range len(all) { // a tree that is read while it changes can have a loop
		switch {
		case p.ours:
			return true
		case p.other:
			return false
		}
		parent, ok := all[p.parent]
		if !ok {
			return false
		}
		p = parent
	}
	return false
}
