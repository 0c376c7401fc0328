package sleep

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// fakeBox is a session of a fake world. Its world's mutex guards it.
type fakeBox struct {
	policy    Policy
	running   bool
	attached  Answer
	activity  time.Time
	screen    Boundary
	reasons   []Reason
	reasonErr error

	roundTrip time.Duration
	startTime time.Duration
	hangs     bool // until the context ends
	deaf      chan struct{}
	late      time.Duration // looks answer after that, whatever their context says
	lateProof time.Duration
	lying     bool
	says      Answer // what is-running says then
	hint      Answer
	lookErr   error
	stopErr   error
	startErr  error

	onProve, onStop, onStart func() // during the call, without the mutex

	looks, proofs, stops, starts int
	asks                         []Ask
	wrong                        []string // what must not have happened
	starting                     int
}

type world struct {
	mu    sync.Mutex
	boxes map[string]*fakeBox
	order []string
	err   error

	inCalls, most int
}

func newWorld() *world { return &world{boxes: map[string]*fakeBox{}} }

// add puts a session there that has been idle for long; change spoils it.
func (w *world) add(name string, change func(*fakeBox)) *fakeBox {
	b := &fakeBox{
		policy: Policy{InteractiveResume, Setting{true, 10 * time.Minute, "test"}, Full, true}, running: true,
		attached: No, activity: time.Now().Add(-time.Hour), screen: AtBoundary, roundTrip: 100 * time.Millisecond,
		startTime: time.Second,
	}
	if change != nil {
		change(b)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.boxes[name] = b
	w.order = append(w.order, name)
	return b
}

func (w *world) set(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f()
}

func (w *world) List(context.Context) ([]Entry, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []Entry
	for _, n := range w.order {
		all = append(all, Entry{n, w.boxes[n].policy, w.boxes[n].hint})
	}
	return all, w.err
}

// trip spends a round trip, or hangs.
func (w *world) trip(ctx context.Context, b *fakeBox, more time.Duration) error {
	w.mu.Lock()
	w.inCalls++
	w.most = max(w.most, w.inCalls)
	d, hangs, deaf := b.roundTrip+more, b.hangs, b.deaf
	w.mu.Unlock()
	defer w.set(func() { w.inCalls-- })
	if deaf != nil {
		<-deaf
		return nil
	}
	if hangs {
		<-ctx.Done()
		return ctx.Err()
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *world) box(name string) *fakeBox {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := w.boxes[name]
	if b == nil {
		panic("no box " + name)
	}
	return b
}

func (w *world) Look(ctx context.Context, name string, what Ask) Facts {
	b := w.box(name)
	err := w.trip(ctx, b, 0)
	time.Sleep(b.late)
	w.mu.Lock()
	defer w.mu.Unlock()
	b.looks++
	b.asks = append(b.asks, what)
	if err != nil {
		return Facts{Err: err}
	}
	f := Facts{RoundTrips: 1, Err: b.lookErr}
	if what&AskRunning != 0 {
		f.Running = No
		if b.running {
			f.Running = Yes
		}
		if b.lying {
			f.Running = b.says
		}
	}
	if what&AskAttached != 0 {
		f.Attached = b.attached
		if !b.running {
			f.Attached = No
		}
	}
	if what&AskActivity != 0 && b.running {
		f.LastActivity = b.activity
	}
	return f
}

func (w *world) Prove(ctx context.Context, name string) (Proof, error) {
	b := w.box(name)
	err := w.trip(ctx, b, 200*time.Millisecond)
	time.Sleep(b.lateProof)
	if err == nil && b.onProve != nil {
		b.onProve()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	b.proofs++
	if err == nil && !b.running {
		err = errors.New("no session main")
	}
	return Proof{State: b.screen, Sign: "test", RoundTrips: 1}, err
}

func (w *world) WakeReasons(_ context.Context, name string) ([]Reason, error) {
	b := w.box(name)
	w.mu.Lock()
	defer w.mu.Unlock()
	return b.reasons, b.reasonErr
}

func (w *world) Stop(ctx context.Context, name string) error {
	b := w.box(name)
	w.set(func() {
		b.stops++
		if !b.running {
			b.wrong = append(b.wrong, "stopped twice")
		}
		if b.attached != No || b.screen != AtBoundary && b.policy.Capability == Full || len(b.reasons) > 0 {
			b.wrong = append(b.wrong, fmt.Sprintf("stopped attached %s, screen %s, reasons %v", b.attached, b.screen, b.reasons))
		}
		if b.starting > 0 {
			b.wrong = append(b.wrong, "stopped during a start")
		}
	})
	if b.onStop != nil {
		b.onStop()
	}
	err := w.trip(ctx, b, 0)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil {
		err = b.stopErr
	}
	if err == nil {
		b.running = false
	}
	return err
}

func (w *world) Start(ctx context.Context, name string, _ Reason) error {
	b := w.box(name)
	w.set(func() {
		b.starts++
		b.starting++
		if b.running || b.starting > 1 {
			b.wrong = append(b.wrong, "started twice")
		}
	})
	if b.onStart != nil {
		b.onStart()
	}
	err := w.trip(ctx, b, b.startTime)
	w.mu.Lock()
	defer w.mu.Unlock()
	b.starting--
	if err == nil {
		err = b.startErr
	}
	if err == nil {
		b.running, b.activity = true, time.Now()
	}
	return err
}

// check says what went wrong in any world.
func (w *world) check(t *testing.T) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for n, b := range w.boxes {
		for _, wrong := range b.wrong {
			t.Errorf("%s: %s", n, wrong)
		}
	}
}

// events collects what a controller said, the last of each session.
type events struct {
	mu   sync.Mutex
	last map[string]Event
	all  []Event
}

func (e *events) add(ev Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.last == nil {
		e.last = map[string]Event{}
	}
	e.last[ev.Session] = ev
	e.all = append(e.all, ev)
}

func (e *events) rule(name string) Rule {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.last[name].Rule
}

// open makes a controller in the bubble's clock.
func open(t *testing.T, w Sessions, change func(*Controller)) (*Controller, *events) {
	t.Helper()
	seen := &events{}
	c := &Controller{Sessions: w, OnEvent: seen.add}
	if change != nil {
		change(c)
	}
	if err := c.Open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c, seen
}

func tick(t *testing.T, c *Controller) {
	t.Helper()
	if err := c.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// bubble is synctest.Test with Cleanups run inside, as they are.
func bubble(t *testing.T, f func(t *testing.T)) { t.Helper(); synctest.Test(t, f) }
