package sleep

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// idle is a snapshot of which every rule agrees that it may sleep.
func idle() Snapshot {
	return Snapshot{
		Now:    t0,
		Policy: Policy{Class: InteractiveResume, Setting: Setting{true, 10 * time.Minute, "test"}, Capability: Full, Attachment: true},
		Facts:  Facts{Running: Yes, Attached: No, LastActivity: t0.Add(-time.Hour)},
		Record: Record{Phase: Awake, DetachedSince: t0.Add(-20 * time.Minute)},
		Proof:  Proof{State: AtBoundary, At: t0, Sign: "❯"},
	}
}

func timed(s *Snapshot) {
	s.Policy.Capability, s.Policy.Class, s.Proof = TimedOnly, Noninteractive, Proof{}
}

func down(phase Phase) func(*Snapshot) {
	return func(s *Snapshot) {
		s.Facts = Facts{Running: No}
		s.Record = Record{Phase: phase, Fingerprint: s.Policy.Fingerprint(), SleptAt: t0.Add(-time.Hour), For: RuleIdle}
	}
}

// SLP-1, SLP-2, SLP-3, IDL-1, RPP-10, RPP-11: one row a rule.
func TestDecide(t *testing.T) {
	boom := errors.New("boom")
	for _, c := range []struct {
		rule   Rule
		action Action
		change func(*Snapshot)
	}{
		{RuleIdle, Sleep, func(s *Snapshot) {}},
		{RuleIdle, Sleep, func(s *Snapshot) { s.Policy.Class = Noninteractive }},
		{RuleIdle, Sleep, func(s *Snapshot) { s.Policy.Setting.After = 0 }},
		{RuleIdleTimed, Sleep, timed},
		{RuleIdleTimed, Sleep, func(s *Snapshot) { // nobody counts as attached where nobody may ask
			timed(s)
			s.Policy.Attachment, s.Facts.Attached, s.Record = false, CannotTell, Record{Phase: Awake}
		}},
		{RuleIdle, Sleep, func(s *Snapshot) { s.Record.DetachedSince = t0.Add(-10 * time.Minute) }},

		{RuleOff, Keep, func(s *Snapshot) { s.Policy.Setting = Setting{Source: "x"} }},
		{RuleOff, Keep, func(s *Snapshot) { s.Policy = Policy{} }},
		{RuleDisabled, Keep, func(s *Snapshot) { s.Policy.Capability = Disabled }},
		{RuleDisabled, Keep, func(s *Snapshot) { s.Policy.Capability = "" }},
		{RuleNeedsFull, Keep, func(s *Snapshot) { s.Policy.Capability = TimedOnly }},
		{RuleNeedsFull, Keep, func(s *Snapshot) { timed(s); s.Policy.Class = InteractiveFresh }},
		{RuleNeedsFull, Keep, func(s *Snapshot) { timed(s); s.Policy.Class = "" }},
		{RuleNeedsFull, Keep, func(s *Snapshot) { s.Proof.State = Unsupported }},

		{"attached", Keep, func(s *Snapshot) { s.Facts.Attached = Yes }},
		{"attached", Keep, func(s *Snapshot) { timed(s); s.Facts.Attached = Yes }},
		{RuleAttachUnknown, Keep, func(s *Snapshot) { s.Facts.Attached = CannotTell }},
		{RuleAttachUnknown, Keep, func(s *Snapshot) { timed(s); s.Facts.Attached = CannotTell }},
		{RuleAttachUnknown, Keep, func(s *Snapshot) { s.Facts.Attached, s.Policy.Attachment = CannotTell, false }},
		{RuleUnreachable, Keep, func(s *Snapshot) { s.Facts.Running = CannotTell }},
		{"work", Keep, func(s *Snapshot) { s.Reasons = []Reason{Work} }},
		{"wait", Keep, func(s *Snapshot) { s.Reasons = []Reason{Wait} }},
		{"dialog", Keep, func(s *Snapshot) { s.Reasons = []Reason{Pending} }},
		{"explicit", Keep, func(s *Snapshot) { timed(s); s.Reasons = []Reason{Explicit} }},
		{RuleReasonsUnknown, Keep, func(s *Snapshot) { s.ReasonsErr = boom }},
		{RuleWoken, Keep, func(s *Snapshot) { s.Record.Woken, s.Policy.Setting.After = t0.Add(-59*time.Second), 0 }},
		{RuleIdle, Sleep, func(s *Snapshot) { s.Record.Woken = t0.Add(-60 * time.Second) }},

		{RuleWindow, Keep, func(s *Snapshot) { s.Facts.LastActivity = t0.Add(-10*time.Minute + time.Second) }},
		{RuleWindow, Keep, func(s *Snapshot) { s.Record.DetachedSince = t0.Add(-10*time.Minute + time.Second) }},
		{RuleWindow, Keep, func(s *Snapshot) { s.Record.Floor = t0.Add(-time.Minute) }},
		{RuleWindow, Keep, func(s *Snapshot) { s.Record.DetachedSince = t0.Add(time.Hour) }},
		{RuleActivityUnknown, Keep, func(s *Snapshot) { s.Facts.LastActivity = time.Time{} }},
		{RuleActivityFuture, Keep, func(s *Snapshot) { s.Facts.LastActivity = t0.Add(time.Second) }},
		{RuleActivityFuture, Keep, func(s *Snapshot) { s.Policy.Setting.After = 0; s.Facts.LastActivity = t0.Add(1) }},
		{RuleActivityFuture, Keep, func(s *Snapshot) { timed(s); s.Facts.LastActivity = t0.Add(time.Hour) }},

		{RuleProbe, Probe, func(s *Snapshot) { s.Proof = Proof{} }},
		{RuleProbe, Probe, func(s *Snapshot) { s.Proof.At = t0.Add(-ProofHolds - 1) }},
		{RuleProbe, Probe, func(s *Snapshot) { s.Proof.At = t0.Add(time.Minute) }},
		{RuleProbe, Probe, func(s *Snapshot) { // active since the proof
			s.Policy.Setting.After, s.Facts.LastActivity, s.Proof.At = 0, t0, t0.Add(-1)
		}},
		{"busy", Keep, func(s *Snapshot) { s.Proof.State = Busy }},
		{"dialog", Keep, func(s *Snapshot) { s.Proof.State = Dialog }},
		{"draft", Keep, func(s *Snapshot) { s.Proof.State = Draft }},
		{"starting", Keep, func(s *Snapshot) { s.Proof.State = Starting }},
		{RuleUnproven, Keep, func(s *Snapshot) { s.Proof.State = Unproven }},
		{RuleUnproven, Keep, func(s *Snapshot) { s.Proof.State = "a new word" }},
		{RuleSettling, Keep, func(s *Snapshot) { s.Record.Phase, s.Record.StopSent = Stopping, t0.Add(-time.Second) }},
		{RuleSettling, Keep, func(s *Snapshot) { s.Record.Phase, s.Record.StopSent = Waking, t0.Add(-time.Second) }},

		{RuleAsleep, Keep, down(Asleep)},
		{RuleDown, Keep, down(Down)},
		{RulePolicyChanged, Wake, func(s *Snapshot) { down(Asleep)(s); s.Policy.Setting.After = time.Hour }},
		{RulePolicyChanged, Wake, func(s *Snapshot) { down(Asleep)(s); s.Policy.Setting = Setting{} }},
		{RuleAsleep, Keep, func(s *Snapshot) { down(Asleep)(s); s.Policy.Setting.Source = "moved" }},
		{RuleAsleep, Keep, func(s *Snapshot) { down(Asleep)(s); s.Policy.Capability = Disabled }},
		{RuleDown, Keep, func(s *Snapshot) { down(Down)(s); s.Policy.Setting.After = time.Hour }},
		{RuleAsleep, Keep, func(s *Snapshot) { down(Asleep)(s); s.ReasonsErr = boom }},
		{RuleUnreachable, Keep, func(s *Snapshot) { down(Asleep)(s); s.Facts.Running = CannotTell; s.Reasons = []Reason{Work} }},
		{"wake-work", Wake, func(s *Snapshot) { down(Asleep)(s); s.Reasons = []Reason{Work} }},
		{"wake-wait", Wake, func(s *Snapshot) { down(Asleep)(s); s.Reasons = []Reason{Wait} }},
		{"wake-attached", Wake, func(s *Snapshot) { down(Asleep)(s); s.Reasons = []Reason{Attach} }},
		{"wake-dialog", Wake, func(s *Snapshot) { down(Asleep)(s); s.Reasons = []Reason{Pending} }},
		{"wake-explicit", Wake, func(s *Snapshot) { down(Down)(s); s.Reasons = []Reason{Explicit} }},
		{"wake-work", Wake, func(s *Snapshot) { down(Asleep)(s); s.Reasons, s.ReasonsErr = []Reason{Work}, boom }},
		{RuleWakeUnfinished, Wake, down(Waking)},
	} {
		s := idle()
		c.change(&s)
		d := Decide(s)
		if d.Action != c.action || d.Rule != c.rule {
			t.Errorf("want %s by %s, got %+v\nof %+v", c.action, c.rule, d, s)
		}
		if d.Why == "" {
			t.Errorf("%s: no sentence", d.Rule)
		}
	}
}

// mayNeverSleep is the requirement, restated without Decide's structure: what
// speaks against sleep. It looks at nothing but the snapshot.
func mayNeverSleep(s Snapshot) (against []string) {
	no := func(bad bool, why string) {
		if bad {
			against = append(against, why)
		}
	}
	f, p := s.Facts, s.Policy
	no(f.Running != Yes, "not known to run")
	no(f.Attached == Yes, "attached")
	no(f.Attached != No && (p.Attachment || p.Class != Noninteractive), "attachment not known")
	no(len(s.Reasons) != 0, "wanted")
	no(s.ReasonsErr != nil, "perhaps wanted")
	no(!p.Setting.Sleep, "off")
	no(p.Capability != Full && (p.Capability != TimedOnly || p.Class != Noninteractive), "not capable")
	no(p.Capability == Full && s.Proof.State != AtBoundary, "unproven")
	no(p.Capability == Full && (s.Now.Sub(s.Proof.At) > 15*time.Second || s.Proof.At.After(s.Now.Add(2*time.Second))), "proof not of now")
	no(p.Capability == Full && !f.LastActivity.Before(s.Proof.At.Truncate(time.Second)), "active in the second of the proof, or since")
	no(f.LastActivity.IsZero(), "activity not known")
	for _, since := range []time.Time{f.LastActivity, s.Record.DetachedSince, s.Record.Floor} {
		no(s.Now.Sub(since) < p.Setting.After, "window not over")
		no(since.After(s.Now), "in the future")
	}
	no(!s.Record.Woken.IsZero() && s.Now.Sub(s.Record.Woken) < time.Minute, "just woken")
	no(s.Record.Phase == Stopping || s.Record.Phase == Waking, "on its way")
	return against
}

// randomSnapshot starts from an idle one and spoils a few things, so that most
// rules decide now and then.
func randomSnapshot(r *rand.Rand) Snapshot {
	s := idle()
	past := func() time.Time {
		return t0.Add(time.Duration(r.Int64N(int64(40*time.Minute))) - 38*time.Minute).Truncate(time.Duration(r.IntN(2)+1) * time.Second)
	}
	pick := func(n int) bool { return r.IntN(n) == 0 }
	s.Policy.Class = Classes[r.IntN(3)]
	if pick(3) {
		s.Policy.Capability = []Capability{Full, TimedOnly, TimedOnly, Disabled, ""}[r.IntN(5)]
		s.Policy.Attachment = !pick(2) || s.Policy.Capability == Full
	}
	if pick(2) {
		s.Policy.Setting = Setting{!pick(4), time.Duration(r.IntN(30)) * time.Minute, "random"}
	}
	if pick(4) {
		s.Facts.Running = Answer(r.IntN(3))
	}
	if pick(3) {
		s.Facts.Attached = Answer(r.IntN(3))
	}
	if pick(3) {
		s.Facts.LastActivity = past()
	}
	if pick(9) {
		s.Facts.LastActivity = time.Time{}
	}
	if pick(3) {
		s.Record.DetachedSince = past()
	}
	if pick(4) {
		s.Record.Floor = past()
	}
	if pick(6) {
		s.Record.Woken = past()
	}
	if pick(5) {
		s.Record.Phase = []Phase{"", Awake, Stopping, Asleep, Waking, Down}[r.IntN(6)]
		s.Record.Fingerprint = []string{"", s.Policy.Fingerprint()}[r.IntN(2)]
	}
	if pick(3) {
		s.Proof.State = []Boundary{Unproven, AtBoundary, Busy, Dialog, Draft, Starting, Unsupported}[r.IntN(7)]
	}
	if pick(4) {
		s.Proof.At = t0.Add(time.Duration(r.IntN(40)-30) * time.Second)
	}
	if pick(5) {
		s.Reasons = []Reason{[]Reason{Work, Wait, Attach, Pending, Explicit}[r.IntN(5)]}
	}
	if pick(9) {
		s.ReasonsErr = errors.New("no answer")
	}
	return s
}

// checkDecision holds a decision against the requirement.
func checkDecision(s Snapshot) error {
	d := Decide(s)
	against := mayNeverSleep(s)
	if d.Action == Sleep && len(against) > 0 {
		return fmt.Errorf("sleeps, though: %v", against)
	}
	if len(against) == 0 && d.Action != Sleep {
		return fmt.Errorf("nothing speaks against sleep, yet %s by %s: %s", d.Action, d.Rule, d.Why)
	}
	if d.Action == Probe && (s.Policy.Capability != Full || s.Facts.Attached != No || len(s.Reasons) > 0) {
		return fmt.Errorf("a probe for nothing: %s", d.Why)
	}
	mayWake := s.Facts.Running == No && (len(s.Reasons) > 0 || s.Record.Phase == Waking ||
		(s.Record.Phase == Asleep || s.Record.Phase == Stopping) && s.Record.Fingerprint != s.Policy.Fingerprint())
	if (d.Action == Wake) != mayWake {
		return fmt.Errorf("%s by %s; may wake: %v", d.Action, d.Rule, mayWake)
	}
	if d.Why == "" || d.Rule == "" {
		return errors.New("no reason given")
	}
	return nil
}

func seed() uint64 {
	if s, err := strconv.ParseUint(os.Getenv("SLEEP_SEED"), 10, 64); err == nil {
		return s
	}
	return uint64(time.Now().UnixNano())
}

// SLP-2, SLP-3: never asleep attached, busy, dialog, draft, cannot-tell, wanted or
// unproven; asleep when nothing speaks against it; awake only for a reason.
func TestDecideProperties(t *testing.T) {
	seed := seed()
	r := rand.New(rand.NewPCG(seed, 1))
	seen := map[Rule]int{}
	for i := range 60_000 {
		s := randomSnapshot(r)
		if err := checkDecision(s); err != nil {
			t.Fatalf("SLEEP_SEED=%d, case %d: %v\n%+v", seed, i, err, s)
		}
		seen[Decide(s).Rule]++
	}
	if seen[RuleIdle] < 300 || seen[RuleIdleTimed] < 300 || len(seen) < 25 {
		t.Errorf("the cases are too much alike: %v", seen)
	}
}

// FuzzDecide gives the fuzzer the seeds of the cases.
func FuzzDecide(f *testing.F) {
	f.Add(uint64(1), uint64(2), int64(0))
	f.Fuzz(func(t *testing.T, a, b uint64, shift int64) {
		s := randomSnapshot(rand.New(rand.NewPCG(a, b)))
		s.Now = s.Now.Add(time.Duration(shift % int64(time.Hour)))
		if err := checkDecision(s); err != nil {
			t.Errorf("%v\n%+v", err, s)
		}
	})
}
