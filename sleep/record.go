package sleep

import "time"

// Phase is what we last did to a session, or saw of it.
type Phase string

const (
	Awake    Phase = "awake"    // up
	Stopping Phase = "stopping" // stop was sent, its end not seen
	Asleep   Phase = "asleep"   // stopped by us, for idleness
	Waking   Phase = "waking"   // start was decided, its end not seen
	Down     Phase = "down"     // not running, and not by us
)

// Record is what must be remembered of a session between two looks, and across
// a restart of the controller. The zero Record is a session never seen.
type Record struct {
	Phase Phase     `json:"phase,omitempty"`
	Seen  time.Time `json:"seen,omitzero"` // the last look

	// DetachedSince is the first look that found nobody attached, after one that
	// found somebody, or after nothing; zero while somebody is. Not being able to
	// tell leaves it as it is.
	DetachedSince time.Time `json:"detached_since,omitzero"`

	// Floor is when all counting begins anew: the session came up, or the clock
	// was set.
	Floor        time.Time `json:"floor,omitzero"`
	LastActivity time.Time `json:"last_activity,omitzero"` // the last that was told

	For         Rule      `json:"asleep_for,omitempty"` // asleep for what
	Fingerprint string    `json:"policy,omitempty"`     // of the policy that it fell asleep under
	SleptAt     time.Time `json:"slept_at,omitzero"`
	StopSent    time.Time `json:"stop_sent,omitzero"` // of a stop whose end was not seen
	WokenBy     Reason    `json:"woken_by,omitempty"` // in Waking: what for
	Woken       time.Time `json:"woken,omitzero"`     // the last wake, of a running session too

	Proof Proof `json:"proof,omitzero"` // the last one
}

const (
	// ClockStep is how far the wall clock may be off before that counts as
	// having been set. NTP steps only what is off by more than 0.128 s.
	ClockStep = 2 * time.Second

	// StopSettles is how long a stop whose end was not seen may still take
	// effect: the runtime's executable goes on when its caller is killed, and
	// the protocol gives it 30 s.
	StopSettles = 30 * time.Second
)

// Observe returns the record after a look at time now. Jumped says that the wall
// clock has moved otherwise than the monotonic one since the look before; a
// clock that was set back is noticed without, across a restart too.
func (r Record) Observe(f Facts, now time.Time, jumped bool) Record {
	if jumped || r.Seen.Sub(now) > ClockStep {
		r.Floor = now
	}
	// What lies in the future by our own hand is from before the clock was set.
	r.DetachedSince = earlier(r.DetachedSince, now)
	r.Floor, r.Woken = earlier(r.Floor, now), earlier(r.Woken, now)
	r.Seen = now

	switch f.Running {
	case Yes:
		switch r.Phase {
		case "":
			r.Phase = Awake
		case Asleep, Down: // somebody started it
			r = r.up(now)
		case Waking:
			// A stop that is still under way would take it down again.
			if !r.Settling(now) {
				r = r.up(now)
			}
		case Stopping:
			// Within its time, the stop may still come; after it, it has failed.
			if !r.Settling(now) {
				r.Phase, r.For, r.Fingerprint, r.StopSent = Awake, "", "", time.Time{}
			}
		}
	case No:
		switch r.Phase {
		case "", Awake:
			r.Phase = Down
		case Stopping: // it did, though its end may still be to come
			sent := r.StopSent
			r = r.asleep(now)
			r.StopSent = sent
		}
	}

	switch f.Attached {
	case Yes:
		r.DetachedSince = time.Time{}
	case No:
		if r.DetachedSince.IsZero() {
			r.DetachedSince = now
		}
	}
	if !f.LastActivity.IsZero() {
		r.LastActivity = f.LastActivity
	}
	return r
}

// Settling says that a stop was sent whose end was not seen, and may still come.
// A stop sent in the future counts: the clock was set back.
func (r Record) Settling(now time.Time) bool {
	return !r.StopSent.IsZero() && now.Sub(r.StopSent) < StopSettles
}

// Opens is when the window of idleness opens: at the later of the last activity
// and the detach, and not before counting began.
func (r Record) Opens(lastActivity time.Time) time.Time {
	return later(lastActivity, later(r.DetachedSince, r.Floor))
}

// up begins a new life.
func (r Record) up(now time.Time) Record {
	n := Record{Phase: Awake, Seen: r.Seen, Floor: now, Woken: r.Woken, Proof: r.Proof}
	if r.Phase == Waking {
		n.Woken = now
	}
	return n
}

// asleep ends one. The window is over with it; what it fell asleep for stays.
func (r Record) asleep(now time.Time) Record {
	return Record{Phase: Asleep, Seen: r.Seen, For: r.For, Fingerprint: r.Fingerprint, SleptAt: now, Proof: r.Proof}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
