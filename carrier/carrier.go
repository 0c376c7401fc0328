package carrier

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
)

// Carrier drives the agents of one runtime. Set Conn, and call Session. Its methods
// may be called from any number of goroutines. Do not copy it after first use.
type Carrier struct {
	// Conn reaches the boxes. It may also be a box.Capable, a box.Prober and a
	// Dedicated; an *rpp.Provider is all of them.
	Conn box.Conn

	// Unsupported knows an error of Conn's that means "no exec operation"; nil
	// knows box.ErrExecUnsupported alone.
	Unsupported func(error) bool

	// Observe is told of each verb when it has ended (CAR-8); nil: nobody. It is
	// called on the caller's goroutine.
	Observe func(context.Context, Event)

	execless atomic.Bool // the runtime has no exec operation: learnt from its exit 2
}

// Event is one verb that ended. It holds no message text.
type Event struct {
	Verb     string // "nudge", "keys", "interrupt", "peek", "clear"
	Session  string
	Execs    int           // round trips to the box
	Bytes    int           // of the message, or of the captured text
	Duration time.Duration //
	Outcome  error         // nil: confirmed
}

// Session is one session of the runtime, by the name that its operations take.
type Session struct {
	Name string

	// Agent names the agent's data (prompt.Profiles) where it is known; "" leaves it
	// to what tmux shows.
	Agent string

	carrier *Carrier
}

// RefusedError: tmux answered, and nothing was typed. Its Reason says why.
type RefusedError = fence.RefusedError

// Session gives the session of that name. Nothing is asked of the runtime.
func (c *Carrier) Session(name string) *Session {
	return &Session{Name: name, carrier: c}
}

// Door is the carrier's Conn as the rooms below use it.
func (c *Carrier) Door() box.Door {
	return box.Door{Conn: c.Conn, Unsupported: c.Unsupported}
}

// overExec runs a verb over exec, unless the runtime is known to have none; then, or
// when it turns out so, by the dedicated operation (CAR-2).
func (c *Carrier) overExec(ctx context.Context, verb func() error, dedicated func(Dedicated) error) error {
	if !c.execless.Load() {
		err := verb()
		if !errors.Is(err, box.ErrExecUnsupported) {
			return err
		}
		// Remembered, unless the handshake could not be had: then it may have one.
		if k, ok := c.Conn.(box.Knower); !ok || known(ctx, k) {
			c.execless.Store(true)
		}
	}
	ops, ok := c.Conn.(Dedicated)
	if !ok {
		return box.ErrExecUnsupported
	}
	return dedicated(ops)
}

func known(ctx context.Context, k box.Knower) bool {
	_, err := k.Declares(ctx, box.ProcExec)
	return err == nil
}

// observe tells the Observer of a verb that began at start.
func (s *Session) observe(ctx context.Context, start time.Time, e Event) {
	if observe := s.carrier.Observe; observe != nil {
		e.Session, e.Duration = s.Name, time.Since(start)
		observe(ctx, e)
	}
}
