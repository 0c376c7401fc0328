package idle

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/carrier"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/internal/pane"
	"github.com/gastownhall/tmux-carrier/prompt"
)

const (
	// Budget is the time for one check, hard: a look that ends at the mark does not
	// count (IDL-2).
	Budget = 5 * time.Second
	// Pause lies between the two looks.
	Pause = 200 * time.Millisecond
	// pollPause lies between two checks of Wait.
	pollPause = 500 * time.Millisecond
)

var (
	//go:embed observe.sh
	observeSource string
	observeScript = box.NewScript("idle", pane.Find, pane.See, observeSource)
)

// Prover checks sessions of one runtime. Set Carrier. Its methods may be called from
// any number of goroutines.
type Prover struct {
	Carrier *carrier.Carrier

	// Agent names the agent's data where it is known; "" finds it on the screen.
	Agent string
	// Separate makes an exec of each look: for a box whose one exec with both looks and
	// the pause takes too long.
	Separate bool
}

// Check tries to prove that the session's agent is idle. A nil error is the proof.
// ErrBusy says that it is none, and the Proof's Verdict why; ErrUnsupported, that no
// proof is to be had of this runtime, and nothing was run; box.ErrAbsent and
// box.ErrUnavailable are the box's. It returns within Budget even if the runtime
// hangs.
func (p *Prover) Check(ctx context.Context, session string) (Proof, error) {
	if err := p.supported(ctx, session); err != nil {
		return Proof{Session: session}, err
	}
	return p.check(ctx, session)
}

// Wait checks until the session's agent is idle, or timeout has passed: ErrBusy. A
// box that does not answer is asked again; an absent session ends it (IDL-4).
func (p *Prover) Wait(ctx context.Context, session string, timeout time.Duration) (Proof, error) {
	last := Proof{Session: session}
	if err := p.supported(ctx, session); err != nil {
		return last, err
	}
	within, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	execs := 0
	for {
		proof, err := p.check(within, session)
		execs += proof.Execs
		proof.Execs = execs
		switch {
		case err == nil, errors.Is(err, box.ErrAbsent), errors.Is(err, box.ErrExecUnsupported):
			return proof, err
		case proof.Verdict.Kind != prompt.Unknown || last.Verdict.Sign == "":
			last = proof // a look that was cut at the end says less than the one before
		}
		last.Execs = execs
		select {
		case <-within.Done():
			if ctx.Err() != nil {
				return last, ctx.Err()
			}
			return last, last.busy()
		case <-time.After(pollPause):
		}
	}
}

func (p *Prover) supported(ctx context.Context, session string) error {
	for _, capability := range []string{box.ReportActivity, box.ReportAttachment, box.ProcExec} {
		if err := p.Carrier.Door().Declares(ctx, session, capability, ErrUnsupported); err != nil {
			return err
		}
	}
	return nil
}

// check is one attempt within its budget. The work goes on behind a runtime that
// does not end when its context does; nobody waits for it.
func (p *Prover) check(ctx context.Context, session string) (Proof, error) {
	parent := ctx
	ctx, cancel := context.WithTimeout(ctx, Budget)
	mark, _ := ctx.Deadline() // the caller's may be earlier
	type answer struct {
		proof Proof
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		defer cancel()
		proof, err := p.prove(ctx, session)
		answers <- answer{proof, err}
	}()
	select {
	case a := <-answers:
		switch late := !time.Now().Before(mark); {
		case a.err == nil && late:
			a.proof.Idle, a.proof.Verdict.Kind, a.proof.Verdict.Sign = false, prompt.Unknown, "the second look came too late"
			return a.proof, a.proof.busy()
		case late && errors.Is(a.err, box.ErrUnavailable):
			return a.proof, a.proof.busy()
		}
		return a.proof, a.err
	case <-ctx.Done():
		if err := parent.Err(); errors.Is(err, context.Canceled) {
			return Proof{Session: session}, fmt.Errorf("session %q: %w: %w", session, box.ErrUnavailable, err)
		}
		late := Proof{Session: session, Verdict: prompt.Verdict{Sign: "the box did not answer in time"}}
		return late, late.busy()
	}
}

// prove takes the looks and judges them.
func (p *Prover) prove(ctx context.Context, session string) (Proof, error) {
	proof := Proof{Session: session}
	first, second, err := p.looks(ctx, session, &proof.Execs)
	if err != nil {
		return proof, err
	}
	proof.Observation = second.seen
	if proof.Idle, proof.Verdict = judge(first, second); !proof.Idle {
		return proof, proof.busy()
	}
	return proof, nil
}

// looks takes both looks, in one exec where the box can.
func (p *Prover) looks(ctx context.Context, session string, execs *int) (first, second look, err error) {
	if p.Separate {
		return p.separately(ctx, session, execs, nil)
	}
	seen, err := p.observe(ctx, session, 2, execs)
	switch {
	case err != nil:
		return first, second, err
	case len(seen) == 1: // no fractional sleep in the box
		return p.separately(ctx, session, execs, seen)
	default:
		return seen[0], seen[1], nil
	}
}

// separately takes the looks that are wanting, an exec each.
func (p *Prover) separately(ctx context.Context, session string, execs *int, have []look) (first, second look, err error) {
	for len(have) < 2 {
		if len(have) == 1 {
			select {
			case <-time.After(Pause):
			case <-ctx.Done():
				return first, second, fmt.Errorf("session %q: %w: %w", session, box.ErrUnavailable, ctx.Err())
			}
		}
		seen, err := p.observe(ctx, session, 1, execs)
		if err != nil {
			return first, second, err
		}
		have = append(have, seen...)
	}
	return have[0], have[1], nil
}

// observe runs one exec with so many looks. Each look brings the ready prompt that the
// session keeps at that moment, so that none is ever remembered for too long (PRM-1).
func (p *Prover) observe(ctx context.Context, session string, looks int, execs *int) ([]look, error) {
	door, mark := p.Carrier.Door(), rand.Text()
	*execs++
	reply, err := door.Run(ctx, session, observeScript, fence.OptionIn(ctx, door), mark, strconv.Itoa(looks))
	if err != nil {
		return nil, err
	}
	var out []look
	for part := range strings.SplitSeq(string(reply.Output), "\n"+mark+"\n") {
		seen, err := prompt.ParseObservation(part)
		if err != nil {
			return nil, door.Outage(ctx, session, "idle: "+err.Error())
		}
		out = append(out, look{seen, prompt.Classify(seen, prompt.Options{Agent: p.Agent})})
	}
	if len(out) > looks {
		return nil, door.Outage(ctx, session, "idle: more looks than asked for")
	}
	return out, nil
}
