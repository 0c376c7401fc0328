package day

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/gastownhall/tmux-carrier/sleep"
)

// Config of a simulated day. The zero Config is 200 sessions by the policy of
// DefaultSettings.
type Config struct {
	Seed     uint64
	Sessions int           // 0: 200
	Interval time.Duration // between ticks; 0: 30 s
	Settings map[sleep.Class]sleep.Setting
}

// DefaultSettings are windows that people would choose: a session that resumes
// loses nothing, one that starts afresh loses its conversation.
func DefaultSettings() map[sleep.Class]sleep.Setting {
	return map[sleep.Class]sleep.Setting{
		sleep.InteractiveResume: {Sleep: true, After: 10 * time.Minute, Source: "default"},
		sleep.InteractiveFresh:  {Sleep: true, After: time.Hour, Source: "default"},
		sleep.Noninteractive:    {Sleep: true, After: 2 * time.Minute, Source: "default"},
	}
}

// world implements sleep.Sessions over the boxes. The controller calls it from
// several goroutines, for one session one after the other, while the clock
// stands still.
type world struct {
	midnight time.Time
	now      atomic.Int64 // since midnight
	boxes    map[string]*box
	order    []*box
}

func (w *world) since() time.Duration { return time.Duration(w.now.Load()) }

func (w *world) List(context.Context) ([]sleep.Entry, error) {
	all := make([]sleep.Entry, len(w.order))
	for i, b := range w.order {
		all[i] = sleep.Entry{Name: b.name, Policy: b.policy}
	}
	return all, nil
}

func (w *world) Look(_ context.Context, name string, _ sleep.Ask) sleep.Facts {
	return w.boxes[name].look(w.since(), w.midnight)
}

func (w *world) Prove(_ context.Context, name string) (sleep.Proof, error) {
	return w.boxes[name].prove(w.since())
}

func (w *world) WakeReasons(_ context.Context, name string) ([]sleep.Reason, error) {
	return w.boxes[name].reasons(w.since()), nil
}

func (w *world) Stop(_ context.Context, name string) error {
	w.boxes[name].stop(w.since())
	return nil
}

func (w *world) Start(_ context.Context, name string, _ sleep.Reason) error {
	w.boxes[name].start(w.since())
	return nil
}

func newWorld(cfg Config) *world {
	w := &world{midnight: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), boxes: map[string]*box{}}
	for i := range cfg.Sessions {
		r := rand.New(rand.NewPCG(cfg.Seed, uint64(i)))
		class := sleep.Noninteractive
		switch i % 10 {
		case 0, 1, 2, 3:
			class = sleep.InteractiveResume
		case 4, 5:
			class = sleep.InteractiveFresh
		}
		capability := sleep.Full
		if i%10 == 9 {
			capability = sleep.TimedOnly
		}
		b := &box{
			name: fmt.Sprintf("s%03d", i), r: r, up: true, latency: map[sleep.Reason][]time.Duration{},
			policy:  sleep.Policy{Class: class, Setting: cfg.Settings[class], Capability: capability, Attachment: true},
			startup: 2*time.Second + time.Duration(r.IntN(18_000))*time.Millisecond,
			day:     trace(r, class, capability == sleep.TimedOnly),
		}
		w.boxes[b.name] = b
		w.order = append(w.order, b)
	}
	return w
}

// Simulate runs one day. The same Config gives the same Report, but for the time
// that the simulation itself took.
func Simulate(ctx context.Context, cfg Config) (Report, error) {
	if cfg.Sessions == 0 {
		cfg.Sessions = 200
	}
	if cfg.Interval == 0 {
		cfg.Interval = 30 * time.Second
	}
	if cfg.Settings == nil {
		cfg.Settings = DefaultSettings()
	}
	began := time.Now()
	w := newWorld(cfg)
	var rules counter
	c := &sleep.Controller{
		// Every session has a place of its own: how long a tick takes here says
		// nothing about boxes.
		Sessions: w, Interval: cfg.Interval, Concurrency: cfg.Sessions,
		Clock:   func() (time.Time, time.Duration) { return w.midnight.Add(w.since()), w.since() },
		OnEvent: func(e sleep.Event) { rules.add(string(e.Action) + " " + string(e.Rule)) },
	}
	if err := c.Open(); err != nil {
		return Report{}, err
	}
	defer c.Close()

	const day = 24 * time.Hour
	for at := time.Duration(0); at < day; at += cfg.Interval {
		w.now.Store(int64(at))
		if err := c.Tick(ctx); err != nil {
			return Report{}, err
		}
		for _, b := range w.order {
			w.now.Store(int64(at))
			if b.against(at) != "" {
				b.needed += cfg.Interval
			}
			// What happens before the next tick. Sessions do not touch each other, so
			// their clocks may be turned one after the other.
			for len(b.day) > 0 && b.day[0].at < at+cfg.Interval {
				e := b.day[0]
				b.day = b.day[1:]
				w.now.Store(int64(e.at))
				if b.come(e, e.at) {
					if err := c.Wake(ctx, b.name, e.why); err != nil && !errors.Is(err, errFault) {
						return Report{}, err
					}
				}
			}
		}
	}
	return report(cfg, w, &rules, time.Since(began)), ctx.Err()
}
