package sleep

import (
	"fmt"
	"time"
)

// Action is what to do with a session.
type Action string

const (
	Keep  Action = "keep"  // leave it as it is
	Probe Action = "probe" // look for an idle boundary, then decide again
	Sleep Action = "sleep"
	Wake  Action = "wake"
)

// Rule names what decided. The reasons to be up (work, wait, attached, dialog,
// explicit) and what a proof found (busy, draft, starting) are rules by their
// own names.
type Rule string

const (
	RuleIdle      Rule = "idle"       // at a proven boundary
	RuleIdleTimed Rule = "idle-timed" // by the activity clock
	RuleProbe     Rule = "probe"

	RuleOff             Rule = "off"
	RuleDisabled        Rule = "disabled"
	RuleNeedsFull       Rule = "needs-full"
	RuleWindow          Rule = "window"
	RuleUnreachable     Rule = "unreachable"
	RuleAttachUnknown   Rule = "attached-unknown"
	RuleActivityUnknown Rule = "activity-unknown"
	RuleActivityFuture  Rule = "activity-future"
	RuleReasonsUnknown  Rule = "reasons-unknown"
	RuleUnproven        Rule = "unproven"
	RuleSettling        Rule = "settling"
	RuleWoken           Rule = "woken"

	RuleAsleep         Rule = "asleep"
	RuleDown           Rule = "down"
	RulePolicyChanged  Rule = "policy-changed"
	RuleWakeUnfinished Rule = "wake-unfinished"

	// Rules of the controller, about its own looking.
	RuleBackOff  Rule = "back-off"
	RuleCrowded  Rule = "crowded"
	RuleStateErr Rule = "state-unwritten"
	RuleFailed   Rule = "failed"
)

// wakeRule is the rule of a wake for a reason.
func wakeRule(r Reason) Rule { return "wake-" + Rule(r) }

// Decision is what to do, and why, in a sentence for people.
type Decision struct {
	Action Action `json:"action"`
	Rule   Rule   `json:"rule"`
	Why    string `json:"why"`
	For    Reason `json:"for"` // of a wake: the reason, "" for a policy

	// Of a running session that may sleep at all: when its window opened, and
	// when it will have been idle for long enough.
	Opens time.Time `json:"opens,omitzero"`
	Due   time.Time `json:"due,omitzero"`
}

func keep(rule Rule, format string, args ...any) Decision {
	return Decision{Action: Keep, Rule: rule, Why: fmt.Sprintf(format, args...)}
}

func wake(rule Rule, r Reason, format string, args ...any) Decision {
	return Decision{Action: Wake, Rule: rule, For: r, Why: fmt.Sprintf(format, args...)}
}

func (r Reason) sentence() string {
	switch r {
	case Work:
		return "work is waiting for it"
	case Wait:
		return "what it waited for has come"
	case Attach:
		return "somebody is attached"
	case Pending:
		return "a dialog waits for an answer"
	case Explicit:
		return "somebody asked for it"
	}
	return fmt.Sprintf("it is needed (%s)", string(r))
}
