package idle

import (
	"fmt"

	"github.com/gastownhall/tmux-carrier/prompt"
)

// Proof is what a check saw. Idle is true only for two observations that prove it.
type Proof struct {
	Session     string
	Idle        bool
	Verdict     prompt.Verdict     // of the last look
	Observation prompt.Observation // the last look
	Execs       int                // round trips to the box
}

// look is one observation with its verdict.
type look struct {
	seen    prompt.Observation
	verdict prompt.Verdict
}

// judge says whether two looks prove idleness. Two idle screens that differ prove
// nothing: after Enter some agents show an empty composer and no sign for 100 ms.
func judge(a, b look) (idle bool, v prompt.Verdict) {
	switch {
	case b.verdict.Kind != prompt.Idle:
		return false, b.verdict
	case a.verdict.Kind != prompt.Idle:
		return false, a.verdict
	case !prompt.Unchanged(a.seen, b.seen, a.verdict, b.verdict):
		v := b.verdict
		v.Kind, v.Sign, v.Line, v.LineNo = prompt.Busy, "the screen changed between two looks", "", 0
		return false, v
	default:
		return true, b.verdict
	}
}

// busy is the error for a proof that failed.
func (p Proof) busy() error {
	return fmt.Errorf("session %q: %s: %w", p.Session, p.Verdict, ErrBusy)
}
