package sleep

import (
	"context"
	"time"
)

// Answer is one of three. The zero Answer is CannotTell, so that a fact nobody
// filled in keeps a session awake.
type Answer int8

const (
	CannotTell Answer = iota
	Yes
	No
)

func (a Answer) String() string { return [...]string{"cannot-tell", "yes", "no"}[a] }

// MarshalText and UnmarshalText use the words of String.
func (a Answer) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads every other word as cannot-tell.
func (a *Answer) UnmarshalText(b []byte) error {
	switch string(b) {
	case "yes":
		*a = Yes
	case "no":
		*a = No
	default:
		*a = CannotTell
	}
	return nil
}

// Facts are what one look at a box tells. A fact that could not be had, or was
// not asked for, has its zero value.
type Facts struct {
	Running      Answer
	Attached     Answer
	LastActivity time.Time // zero: the runtime does not say
	RoundTrips   int       // calls to the box that it took, for the metrics
	Err          error     // why something is missing; nil: the box answered all that it was asked
}

// Proof is the answer to "is it at an idle boundary?".
type Proof struct {
	State      Boundary  `json:"state,omitempty"`
	At         time.Time `json:"at,omitzero"`    // the controller's clock, when the look began
	Sign       string    `json:"sign,omitempty"` // what told it, or why it is unproven; logged, so no other text of the screen
	RoundTrips int       `json:"-"`
}

// Boundary is what a proof found. Only AtBoundary lets a session sleep.
type Boundary string

const (
	Unproven    Boundary = "" // nobody looked, or the box did not answer in time
	AtBoundary  Boundary = "idle"
	Busy        Boundary = "busy"
	Dialog      Boundary = "dialog"
	Draft       Boundary = "draft"
	Starting    Boundary = "starting"
	Unsupported Boundary = "unsupported" // no idle boundary here: do not ask again
)

// Reason says why a session must be up. A reason beats any idleness.
type Reason string

const (
	Work     Reason = "work"     // work is assigned to it
	Wait     Reason = "wait"     // what it waited for has come
	Attach   Reason = "attached" // somebody is, or is about to be, attached
	Pending  Reason = "dialog"   // a dialog waits for an answer
	Explicit Reason = "explicit" // somebody said so: a nudge, or wake
)

// Ask says which facts a look must tell.
type Ask uint8

const (
	AskRunning Ask = 1 << iota
	AskAttached
	AskActivity
	AskAll = AskRunning | AskAttached | AskActivity
)

// Entry is one session that the controller looks after, asleep or not.
type Entry struct {
	Name   string
	Policy Policy

	// Running, if the list came from the runtime. No spares a sleeping session
	// its round trip; the other two mean: ask.
	Running Answer
}

// Sessions is the world as the controller sees it. Calls for different sessions
// come at the same time, for one session one after the other. An implementation
// honours its context; one that does not loses only its own session.
type Sessions interface {
	List(ctx context.Context) ([]Entry, error)

	// Look asks the box, in as few calls as it can.
	Look(ctx context.Context, name string, what Ask) Facts

	// Prove looks for an idle boundary; it is only called under Full. The error
	// says that the box did not answer. At is set by the controller.
	Prove(ctx context.Context, name string) (Proof, error)

	// WakeReasons asks the host, not the box: it is called for every session at
	// every tick, and once more just before a stop.
	WakeReasons(ctx context.Context, name string) ([]Reason, error)

	Stop(ctx context.Context, name string) error

	// Start starts the session again, why being what woke it. A session that is
	// up already is a success.
	Start(ctx context.Context, name string, why Reason) error
}
