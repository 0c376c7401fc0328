package sleep

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Controller looks after all sessions: it decides, stops and starts. Fill in
// Sessions, call Open, then Run (or Tick), and Wake from anywhere. The fields must
// not change after Open.
type Controller struct {
	Sessions Sessions

	// Dir holds the state: one file of records, a lock, and wishes to wake. ""
	// keeps all in memory, and a restart begins every window anew.
	Dir string

	Interval    time.Duration // between ticks; 0: 30 s
	Concurrency int           // sessions looked at, stopped, started at a time, each; 0: 32

	// Deadlines of one call. An idle check has a hard mark of 5 s of its own; the
	// protocol gives stop 30 s and start 120 s, and a cancel 2 s of grace.
	LookTimeout  time.Duration // 0: 10 s
	ProveTimeout time.Duration // 0: 6 s
	StopTimeout  time.Duration // 0: 35 s
	StartTimeout time.Duration // 0: 130 s

	// DryRun decides and proves, and writes, stops and starts nothing. It needs no
	// lock, and sees the state as it was when it was opened.
	DryRun bool

	Log     *slog.Logger // nil: silent. No message text ever reaches it
	OnEvent func(Event)  // each decision, as it falls; called from several goroutines

	// Clock gives the wall clock, and a monotonic one that tells when the wall
	// clock was set. nil: this machine's.
	Clock func() (wall time.Time, mono time.Duration)

	lock    *os.File
	store   *store
	metrics metrics

	looks, stops, starts *lanes
	lookPace, provePace  pace

	mu    sync.Mutex
	slots map[string]*slot
	live  sync.WaitGroup
}

// slot is a session in this process.
type slot struct {
	name string
	turn chan struct{} // who holds it works on the session

	mu    sync.Mutex
	entry Entry
	asked Reason                  // by Wake, not served yet
	cut   context.CancelCauseFunc // ends a look that might lead to sleep
	slow  bool                    // it was, last time
	fails int
	next  time.Duration // monotonic: not before
	mono  time.Duration // the clocks at the last look
	wall  time.Time
}

// ask notes a wish; false: there is one already.
func (s *slot) ask(why Reason) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked != "" {
		return false
	}
	s.asked = why
	return true
}

// due says whether a box that failed may be asked again.
func (s *slot) due(mono time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return mono >= s.next
}

// jumped says whether the wall clock was set since the last look.
func (s *slot) jumped(wall time.Time, mono time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, since := s.wall, mono-s.mono
	s.wall, s.mono = wall, mono
	return !before.IsZero() && (wall.Sub(before)-since).Abs() > ClockStep
}

// Open reads the state and takes the lock: ErrHeld if another controller has it.
func (c *Controller) Open() error {
	c.defaults()
	now, _ := c.Clock()
	path := ""
	if c.Dir != "" {
		path = filepath.Join(c.Dir, "state.json")
		if !c.DryRun {
			if err := os.MkdirAll(c.Dir, 0o700); err != nil {
				return err
			}
			l, err := lock(filepath.Join(c.Dir, "lock"))
			if err != nil {
				return err
			}
			c.lock = l
			sweep(path)
		}
	}
	s, err := c.openStore(path, now)
	if err != nil {
		c.Close()
		return err
	}
	c.store = s
	return nil
}

func (c *Controller) openStore(path string, now time.Time) (*store, error) {
	if c.DryRun {
		return readStore(path)
	}
	s, aside, err := openStore(path, now)
	if aside != "" {
		c.Log.Warn("the sleep state cannot be understood; it is set aside and every window begins anew", "aside", aside)
	}
	return s, err
}

// Close waits for what is under way and gives the lock back. Cancel Run and Wake
// before.
func (c *Controller) Close() error {
	c.live.Wait()
	var err error
	if c.store != nil && !c.DryRun {
		err = c.store.sync()
	}
	if c.lock != nil {
		err = errors.Join(err, c.lock.Close())
		c.lock = nil
	}
	return err
}

func (c *Controller) defaults() {
	set := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	set(&c.Interval, 30*time.Second)
	set(&c.LookTimeout, 10*time.Second)
	set(&c.ProveTimeout, 6*time.Second)
	set(&c.StopTimeout, 35*time.Second)
	set(&c.StartTimeout, 130*time.Second)
	if c.Concurrency <= 0 {
		c.Concurrency = 32
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Clock == nil {
		began := time.Now()
		c.Clock = func() (time.Time, time.Duration) {
			now := time.Now()
			return now.Round(0), now.Sub(began)
		}
	}
	c.looks, c.stops, c.starts = newLanes(c.Concurrency), newLanes(c.Concurrency), newLanes(c.Concurrency)
	// Two captures and the pause between them take over 200 ms on any box.
	c.lookPace.floor, c.provePace.floor = 250*time.Millisecond, 500*time.Millisecond
	c.slots = map[string]*slot{}
}

func (c *Controller) slot(name string) *slot {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.slots[name]
	if s == nil {
		s = &slot{name: name, turn: make(chan struct{}, 1)}
		c.slots[name] = s
	}
	return s
}

// Run ticks until ctx ends, and serves wishes of other processes between ticks.
// A tick does not wait for the boxes that hang: they are skipped until they
// answer or their deadline passes.
func (c *Controller) Run(ctx context.Context) error {
	defer c.live.Wait()
	tick := time.NewTicker(c.Interval)
	defer tick.Stop()
	c.live.Go(func() { c.serveAll(ctx) })
	for {
		if _, err := c.begin(ctx); err != nil && ctx.Err() == nil {
			c.Log.Warn("the sessions could not be listed", "err", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// Tick looks at every session once and returns when each was handled or has used
// up its deadlines.
func (c *Controller) Tick(ctx context.Context) error {
	all, err := c.begin(ctx)
	if all != nil {
		all.Wait()
	}
	if err == nil && !c.DryRun {
		err = c.store.sync()
	}
	return err
}

// begin starts a tick. It returns when all sessions have found a place in the
// fast lane or queue for the slow one.
func (c *Controller) begin(ctx context.Context) (*sync.WaitGroup, error) {
	_, began := c.Clock()
	listing, cancel := context.WithTimeout(ctx, c.LookTimeout)
	entries, err := c.Sessions.List(listing)
	cancel()
	if err != nil {
		return nil, err
	}
	all := &sync.WaitGroup{}
	c.serve(ctx, all)
	listed := make(map[string]bool, len(entries))
	for _, e := range entries {
		listed[e.Name] = true
		s := c.slot(e.Name)
		select {
		case s.turn <- struct{}{}:
		default:
			continue // still under way since an earlier tick, or being woken
		}
		s.mu.Lock()
		s.entry = e
		s.mu.Unlock()
		c.launch(ctx, s, all)
	}
	c.store.forget(listed)
	c.metrics.forget(listed)
	if !c.DryRun {
		if err := c.store.sync(); err != nil {
			c.Log.Warn("the sleep state could not be written", "err", err)
		}
	}
	_, now := c.Clock()
	c.metrics.tick(now - began)
	return all, ctx.Err()
}

// serveAll looks for wishes between ticks: a tick over many sessions takes
// seconds, and a person waits.
func (c *Controller) serveAll(ctx context.Context) {
	t := time.NewTicker(min(c.Interval, 250*time.Millisecond))
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			c.serve(ctx, &sync.WaitGroup{})
		}
	}
}

// serve wakes what other processes wish to be up; all is done when they are.
func (c *Controller) serve(ctx context.Context, all *sync.WaitGroup) {
	if c.DryRun {
		return
	}
	wishes, err := requests(c.Dir)
	if err != nil {
		c.Log.Warn("wishes to wake could not be read", "err", err)
	}
	for _, w := range wishes {
		s := c.slot(w.Session)
		if s.ask(w.Reason) { // one that failed is tried again by the ticks
			all.Add(1)
			c.live.Add(1)
			go func() {
				_ = c.wake(ctx, s, func() { all.Done(); c.live.Done() }) // its event tells
			}()
		}
	}
}
