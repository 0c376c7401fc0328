package sleep

import (
	"fmt"
	"time"
)

// Snapshot is all that a decision rests on.
type Snapshot struct {
	Now    time.Time
	Policy Policy
	Facts  Facts
	Record Record // after Observe
	Proof  Proof  // zero: nobody looked

	Reasons    []Reason // why it must be up
	ReasonsErr error    // set: the reasons could not be had
}

// ProofHolds is how long a proof counts after its look began. An idle check may
// take 5 s, and attachment is asked once more after it; an older one is history.
const ProofHolds = 15 * time.Second

// WakeHolds is how long a session stays up after it was woken, whatever its
// policy: under "0s" it would be asleep again before the nudge that woke it is
// typed, or the terminal attached.
const WakeHolds = time.Minute

// Decide applies the rules, in their order. It is pure.
func Decide(s Snapshot) Decision {
	d := s.decide()
	d.Opens, d.Due = time.Time{}, time.Time{}
	if s.Facts.Running == Yes && s.Policy.Setting.Sleep {
		d.Opens = s.Record.Opens(s.Facts.LastActivity)
		d.Due = d.Opens.Add(s.Policy.Setting.After)
	}
	return d
}

func (s Snapshot) decide() Decision {
	if s.Facts.Running == CannotTell {
		return keep(RuleUnreachable, "cannot tell whether it runs: %v", s.Facts.Err)
	}
	if s.Facts.Running == No {
		return s.decideDown()
	}
	if d, awake := s.mustStayUp(); awake {
		return d
	}
	if d, open := s.window(); !open {
		return d
	}
	if s.Policy.Capability != Full {
		return Decision{Action: Sleep, Rule: RuleIdleTimed, Why: fmt.Sprintf(
			"idle by the activity clock for %s, %s is enough (%s)", s.idleFor(), s.Policy.Setting, s.Policy.Setting.Source)}
	}
	return s.boundary()
}

// decideDown judges a session that does not run.
func (s Snapshot) decideDown() Decision {
	// A reason that is known counts even if others could not be had.
	if len(s.Reasons) > 0 {
		return wake(wakeRule(s.Reasons[0]), s.Reasons[0], "it sleeps, and %s", s.Reasons[0].sentence())
	}
	switch s.Record.Phase {
	case Waking:
		return wake(RuleWakeUnfinished, s.Record.WokenBy, "a start was begun and its end was not seen")
	case Asleep, Stopping:
		if now := s.Policy.Fingerprint(); s.Record.Fingerprint != now {
			return wake(RulePolicyChanged, "", "it fell asleep under %q, now %q holds (%s)", s.Record.Fingerprint, now, s.Policy.Setting.Source)
		}
		return keep(RuleAsleep, "asleep since %s, nothing asks for it", s.Record.SleptAt.UTC().Format(time.RFC3339))
	}
	return keep(RuleDown, "it does not run, and it was not put to sleep; nothing asks for it")
}

// mustStayUp says why a running session stays up whatever its idleness, if so.
func (s Snapshot) mustStayUp() (Decision, bool) {
	p := s.Policy
	switch {
	case len(s.Reasons) > 0:
		return keep(Rule(s.Reasons[0]), "%s", s.Reasons[0].sentence()), true
	case s.ReasonsErr != nil:
		return keep(RuleReasonsUnknown, "cannot tell whether something asks for it: %v", s.ReasonsErr), true
	case s.Now.Sub(s.Record.Woken) < WakeHolds:
		return keep(RuleWoken, "it was woken %s ago, and what woke it comes first", round(s.Now.Sub(s.Record.Woken))), true
	case s.Record.Phase == Stopping || s.Record.Phase == Waking:
		return keep(RuleSettling, "a stop was sent at %s and may still take effect", s.Record.StopSent.UTC().Format(time.RFC3339)), true
	case !p.Setting.Sleep:
		return keep(RuleOff, "sleep is off (%s)", p.Setting.Source), true
	case p.Capability != Full && p.Capability != TimedOnly:
		return keep(RuleDisabled, "the runtime does not report activity"), true
	case p.Class.interactive() && p.Capability != Full:
		return keep(RuleNeedsFull, "it is %s, and the runtime has no idle boundary (%s)", p.Class, p.Capability), true
	case s.Facts.Attached == Yes:
		return keep(Rule(Attach), "%s", Attach.sentence()), true
	case s.Facts.Attached == CannotTell && (p.Attachment || p.Class.interactive()):
		return keep(RuleAttachUnknown, "cannot tell whether somebody is attached: %v", s.Facts.Err), true
	}
	return Decision{}, false
}

// window says whether it has been idle for long enough.
func (s Snapshot) window() (Decision, bool) {
	activity, after := s.Facts.LastActivity, s.Policy.Setting.After
	switch opens := s.Record.Opens(activity); {
	case activity.IsZero():
		return keep(RuleActivityUnknown, "the runtime does not say when it was last active"), false
	case activity.After(s.Now):
		return keep(RuleActivityFuture, "its last activity lies %s in the future", round(activity.Sub(s.Now))), false
	case s.Now.Before(opens.Add(after)):
		return keep(RuleWindow, "idle for %s, of %s (%s)", s.idleFor(), after, s.Policy.Setting.Source), false
	}
	return Decision{}, true
}

// boundary judges the proof.
func (s Snapshot) boundary() Decision {
	p := s.Proof
	age := s.Now.Sub(p.At)
	switch {
	// Runtimes tell activity in whole seconds: one of the proof's own second may have come
	// behind it.
	case p.At.IsZero(), age > ProofHolds, age < -ClockStep, p.At.Before(s.Facts.LastActivity),
		p.State == AtBoundary && !s.Facts.LastActivity.Before(p.At.Truncate(time.Second)):
		return Decision{Action: Probe, Rule: RuleProbe, Why: fmt.Sprintf("idle for %s by the clock; is it at an idle boundary?", s.idleFor())}
	case p.State == AtBoundary:
		return Decision{Action: Sleep, Rule: RuleIdle, Why: fmt.Sprintf(
			"at an idle boundary (%s), idle for %s, %s is enough (%s)", p.Sign, s.idleFor(), s.Policy.Setting, s.Policy.Setting.Source)}
	case p.State == Busy, p.State == Dialog, p.State == Draft, p.State == Starting:
		return keep(Rule(p.State), "its screen says %s (%s)", p.State, p.Sign)
	case p.State == Unsupported:
		return keep(RuleNeedsFull, "it has no idle boundary")
	}
	return keep(RuleUnproven, "could not prove it idle: %s", p.Sign)
}

func (s Snapshot) idleFor() time.Duration {
	return max(0, round(s.Now.Sub(s.Record.Opens(s.Facts.LastActivity))))
}

func round(d time.Duration) time.Duration {
	if d > time.Minute {
		return d.Round(time.Second)
	}
	return d.Round(time.Millisecond)
}
