package sleep

import (
	"context"
	"time"
)

// Event is a decision with what it rested on: one line of JSON, all keys always
// present but those of times that do not apply.
type Event struct {
	Time    time.Time `json:"time"`
	Session string    `json:"session"`
	Decision
	DryRun bool `json:"dry_run"`

	State      Phase      `json:"state"`
	Class      Class      `json:"class"`
	Capability Capability `json:"capability"`
	After      string     `json:"after"`
	Source     string     `json:"source"`

	Attached     Answer    `json:"attached"`
	LastActivity time.Time `json:"last_activity,omitzero"`
	Reasons      []Reason  `json:"reasons"`
	Proof        string    `json:"proof"` // "" if nobody looked
	Sign         string    `json:"sign"`

	RoundTrips int     `json:"round_trips"`
	Seconds    float64 `json:"seconds"` // what the visit took
}

// report tells the decision to whoever listens.
func (v *visit) report(d Decision) {
	if d.Rule != RuleBackOff {
		v.backOff()
	}
	now, mono := v.c.Clock()
	p := v.entry.Policy
	e := Event{
		Time: now, Session: v.s.name, Decision: d, DryRun: v.c.DryRun,
		State: v.snap.Record.Phase, Class: p.Class, Capability: p.Capability,
		After: p.Setting.String(), Source: p.Setting.Source,
		Attached: v.snap.Facts.Attached, LastActivity: v.snap.Facts.LastActivity,
		Reasons: v.snap.Reasons, Proof: string(v.proof.State), Sign: v.proof.Sign,
		RoundTrips: v.trips, Seconds: (mono - v.began).Seconds(),
	}
	if e.Reasons == nil {
		e.Reasons = []Reason{}
	}
	if !v.proof.At.IsZero() && v.proof.State == Unproven {
		e.Proof = "unproven"
	}
	v.c.metrics.decision(e)
	if v.c.OnEvent != nil {
		v.c.OnEvent(e)
	}
}

// Explain decides about one session without doing anything: what a tick would
// do now, and why. Its proof is a real one. The controller must be open; with
// DryRun it can be beside another.
func (c *Controller) Explain(ctx context.Context, session string) (Event, error) {
	listing, cancel := context.WithTimeout(ctx, c.LookTimeout)
	entries, err := c.Sessions.List(listing)
	cancel()
	if err != nil {
		return Event{}, err
	}
	s := c.slot(session)
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return Event{}, ctx.Err()
	}
	dry := &Controller{
		Sessions: one{c.Sessions, session, entries}, DryRun: true, Dir: c.Dir, Interval: c.Interval,
		LookTimeout: c.LookTimeout, ProveTimeout: c.ProveTimeout, Clock: c.Clock,
	}
	var got Event
	dry.OnEvent = func(e Event) { got = e }
	if err := dry.Open(); err != nil {
		return Event{}, err
	}
	defer dry.Close()
	dry.store.put(session, c.store.get(session))
	if err := dry.Tick(ctx); err != nil {
		return Event{}, err
	}
	if got.Session == "" {
		return Event{}, &UnknownError{session}
	}
	return got, nil
}

// UnknownError names a session that is not on the list.
type UnknownError struct{ Session string }

func (e *UnknownError) Error() string { return "no session " + e.Session + " is listed" }

// one is a Sessions of which only one is seen.
type one struct {
	Sessions
	name    string
	entries []Entry
}

func (o one) List(context.Context) ([]Entry, error) {
	for _, e := range o.entries {
		if e.Name == o.name {
			return []Entry{e}, nil
		}
	}
	return nil, nil
}
