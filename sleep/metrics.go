package sleep

import (
	"context"
	"errors"
	"io"
	"maps"
	"sync"
	"time"
)

// Call names what is asked of a box.
type Call string

const (
	CallLook  Call = "look"
	CallProve Call = "prove"
	CallStop  Call = "stop"
	CallStart Call = "start"
)

// metrics count since the controller began. The zero metrics are empty.
type metrics struct {
	mu         sync.Mutex
	decisions  map[[2]string]float64 // action, rule
	calls      map[[2]string]float64 // call, outcome
	roundTrips float64
	states     map[string]Event // the last of each session
	sleptFor   time.Duration

	proofs map[string]*histogram // by what was found
	wakes  histogram
	ticked histogram
}

func (m *metrics) decision(e Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	count(&m.decisions, string(e.Action), string(e.Rule))
	m.roundTrips += float64(e.RoundTrips)
	if m.states == nil {
		m.states = map[string]Event{}
	}
	m.states[e.Session] = Event{State: e.State, Class: e.Class}
}

// forget drops sessions that are no longer listed from the gauge.
func (m *metrics) forget(listed map[string]bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.states, func(name string, _ Event) bool { return !listed[name] })
}

func (m *metrics) call(c Call, err error) {
	outcome := "ok"
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		outcome = "timeout"
	case errors.Is(err, errWoken), errors.Is(err, errCrowded), errors.Is(err, context.Canceled):
		outcome = "canceled"
	case err != nil:
		outcome = "error"
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	count(&m.calls, string(c), outcome)
}

func (m *metrics) slept(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sleptFor += max(0, d)
}

func (m *metrics) proof(found Boundary, took time.Duration) {
	if found == Unproven {
		found = "unproven"
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.proofs == nil {
		m.proofs = map[string]*histogram{}
	}
	h := m.proofs[string(found)]
	if h == nil {
		h = &histogram{}
		m.proofs[string(found)] = h
	}
	h.saw(took)
}

func (m *metrics) woke(took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.wakes.saw(took)
}

func (m *metrics) tick(took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ticked.saw(took)
}

func count(m *map[[2]string]float64, a, b string) {
	if *m == nil {
		*m = map[[2]string]float64{}
	}
	(*m)[[2]string{a, b}]++
}

// WriteMetrics writes the Prometheus text format (0.0.4), in a fixed order.
func (c *Controller) WriteMetrics(w io.Writer) error {
	now, _ := c.Clock()
	var asleep time.Duration // of those that still sleep
	c.store.each(func(_ string, r Record) {
		if !r.SleptAt.IsZero() {
			asleep += max(0, now.Sub(r.SleptAt))
		}
	})
	m := &c.metrics
	m.mu.Lock()
	defer m.mu.Unlock()

	p := &promText{w: w}
	states := map[[2]string]float64{}
	for _, e := range m.states {
		states[[2]string{string(e.State), string(e.Class)}]++
	}
	p.family("tmux_carrier_sleep_sessions", "gauge", "Sessions by state and class.")
	p.pairs(states, "state", "class")
	p.family("tmux_carrier_sleep_decisions_total", "counter", "Decisions by action and by the rule that decided.")
	p.pairs(m.decisions, "action", "rule")
	p.family("tmux_carrier_sleep_calls_total", "counter", "Calls to boxes by kind and outcome.")
	p.pairs(m.calls, "call", "outcome")
	p.family("tmux_carrier_sleep_round_trips_total", "counter", "Round trips to boxes for looks and proofs.")
	p.sample("", m.roundTrips)
	p.family("tmux_carrier_sleep_slept_seconds_total", "counter", "Seconds that sessions have slept, those asleep now included.")
	p.sample("", (m.sleptFor + asleep).Seconds())
	p.family("tmux_carrier_sleep_proof_seconds", "histogram", "How long idle proofs took, by what they found.")
	for _, found := range sortedKeys(m.proofs) {
		p.histogram(m.proofs[found], "found", found)
	}
	p.family("tmux_carrier_sleep_wake_seconds", "histogram", "How long starts of sleeping sessions took.")
	p.histogram(&m.wakes)
	p.family("tmux_carrier_sleep_tick_seconds", "histogram", "How long ticks took until every session had its place.")
	p.histogram(&m.ticked)
	return p.err
}
