package sleep

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// errCrowded cuts a look that outlived its patience while the slow lane is full.
var errCrowded = errors.New("slower than the others, and the slow lane is full: looked at again at the next tick")

// lanes bound how many sessions are handled at a time. A session that takes
// longer than is usual gives its place in the fast lane to another and goes on
// in the slow lane, so that hanging boxes delay each other and nobody else. With
// one box in ten hanging, a plain semaphore would spend more time waiting for
// them than for all others together.
type lanes struct {
	fast, slow chan struct{}
}

func newLanes(n int) *lanes {
	return &lanes{fast: make(chan struct{}, n), slow: make(chan struct{}, n)}
}

// ticket is a place in a lane, held by one session.
type ticket struct {
	lane *lanes
	cut  context.CancelCauseFunc // ends the work that holds it

	mu     sync.Mutex
	held   chan struct{} // the lane that it counts in; nil: given back
	pinned bool          // the work must not be cut
	slowed bool
	timer  *time.Timer
}

// enter waits for a place. Cut ends the work that holds it.
func (l *lanes) enter(ctx context.Context, slow bool, cut context.CancelCauseFunc) (*ticket, error) {
	lane := l.fast
	if slow {
		lane = l.slow
	}
	select {
	case lane <- struct{}{}:
		return &ticket{lane: l, cut: cut, held: lane, slowed: slow}, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// patience gives the work d more before the ticket moves to the slow lane.
func (t *ticket) patience(d time.Duration) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.timer != nil {
		t.timer.Stop()
	}
	if t.held == t.lane.fast {
		t.timer = time.AfterFunc(d, t.demote)
	}
}

func (t *ticket) demote() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held != t.lane.fast {
		return
	}
	t.slowed = true
	select {
	case t.lane.slow <- struct{}{}:
		<-t.held
		t.held = t.lane.slow
	default:
		if !t.pinned {
			t.cut(errCrowded)
			t.giveBack()
		}
	}
}

// pin keeps the work from being cut from here on: it is stopping a box.
func (t *ticket) pin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pinned = true
}

// release gives the place back, once.
func (t *ticket) release() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.timer != nil {
		t.timer.Stop()
	}
	t.giveBack()
}

func (t *ticket) giveBack() {
	if t.held != nil {
		<-t.held
		t.held = nil
	}
}

func (t *ticket) wasSlow() bool {
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.slowed
}

// pace follows how long a kind of call takes when it succeeds, and says how long
// the next may take before it counts as slow.
type pace struct {
	floor time.Duration
	mean  atomic.Int64
}

func (p *pace) saw(d time.Duration) {
	// An average over about 8 calls; a lost update under contention is harmless.
	if old := p.mean.Load(); old == 0 {
		p.mean.Store(int64(d))
	} else {
		p.mean.Store(old + (int64(d)-old)/8)
	}
}

func (p *pace) patience() time.Duration {
	return max(p.floor, time.Duration(p.mean.Load())*3/2)
}
