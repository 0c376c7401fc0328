package live_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/carrier"
	"github.com/gastownhall/tmux-carrier/nudge"
	"github.com/gastownhall/tmux-carrier/sleep"
)

// states are those that a session may be in, in the order in which they are taken.
var states = []struct {
	name, class, after string
	flags              []string
	stays              sleep.Rule // "": it falls asleep
}{
	{"idle", "interactive_resume", "1s", []string{"--start-delay", "1500ms"}, ""}, // what is typed into it meanwhile is lost
	{"busy", "interactive_resume", "1s", []string{"--busy", "1h"}, "busy"},
	{"attached", "interactive_resume", "1s", nil, "attached"},
	{"fresh", "interactive_fresh", "1s", nil, ""},
	{"dialog", "interactive_resume", "1s", []string{"--dialog-at-start"}, "dialog"},
	{"batch", "noninteractive", "0s", nil, ""},
	{"draft", "interactive_fresh", "1s", []string{"--draft", "half"}, "draft"},
	{"work", "noninteractive", "0s", nil, "work"},
	{"off", "interactive_resume", "off", nil, "off"},
	{"long", "interactive_resume", "1h", nil, "window"},
}

// text is a nudge that is not easily whole: lines, quotes, tmux's and the shell's signs.
var text = "it's \"quoted\"; $(id) `id` #{pane_id} \\\n" + strings.Repeat("ü – ein Satz, der länger ist.\n", 60) + "-n;"

// IDL-1, IDL-2, SLP-2, SLP-3: real sessions in every state fall asleep, or stay, at the
// first look after their window; one stop each. Nudge and attach wake them beside the
// controller, the nudge arrives once and whole, and several wakes are one start.
// LIVE_SESSIONS=20 for more of them.
func TestStates(t *testing.T) { everywhere(t, testStates) }

func testStates(t *testing.T, r *rig) {
	n := 8
	if m, err := strconv.Atoi(os.Getenv("LIVE_SESSIONS")); err == nil {
		n = m
	}
	stays := map[string]sleep.Rule{}
	var sleepers []string
	for i := range n {
		s := states[i%len(states)]
		name := fmt.Sprintf("%s%d", s.name, i)
		r.add(name, s.class, s.after, s.flags...)
		if stays[name] = s.stays; s.stays == "" {
			sleepers = append(sleepers, name)
		}
	}
	s := r.sessions()
	s.Reasons = func(_ context.Context, name string) ([]sleep.Reason, error) {
		if stays[name] == "work" {
			return []sleep.Reason{sleep.Work}, nil
		}
		return nil, nil
	}
	r.start(s)
	c := &carrier.Carrier{Conn: r.runtime}
	for name, rule := range stays {
		switch rule {
		case "busy":
			if _, err := c.Session(name).Nudge(t.Context(), nudge.Message{Text: "work"}); err != nil {
				t.Fatal(err)
			}
		case "attached":
			defer r.attach(name)()
		}
	}

	var told seen
	controller := &sleep.Controller{Sessions: s, Dir: r.state(), Interval: 500 * time.Millisecond, OnEvent: told.add}
	end := r.run(controller)
	for name, rule := range stays {
		if rule == "" {
			r.wait(name+" sleeps", func() bool { return told.rule(name) == sleep.RuleAsleep && !r.running(name) })
		}
	}
	for name, rule := range stays {
		if rule != "" {
			r.wait(fmt.Sprintf("%s stays: %s", name, rule), func() bool { return told.rule(name) == rule && r.running(name) })
		}
	}
	for name, rule := range stays {
		want := 1
		if rule != "" {
			want = 0
		}
		if got := r.count("stop", name); got != want {
			t.Errorf("%s: stopped %d times: %+v", name, got, told.of(name))
		}
		if rule == "" {
			t.Logf("%s: %s", name, asleepAfter(t, told.of(name)))
		}
	}

	// From here on as other processes would, with sessions of their own.
	other := r.sessions()
	r.nudged(other, c, sleepers[0])
	var wakes sync.WaitGroup
	for range 5 {
		wakes.Go(func() {
			if err := other.Wake(t.Context(), r.state(), sleepers[1], sleep.Attach); err != nil {
				t.Error(err)
			}
		})
	}
	wakes.Wait()
	defer r.attach(sleepers[1])()
	for _, name := range sleepers[:2] {
		if got := r.count("provision", name); got != 2 { // the first, and the wake
			t.Errorf("%s: started %d times", name, got)
		}
	}
	if err := other.Wake(t.Context(), r.state(), sleepers[0], sleep.Explicit); err != nil { // it is up
		t.Error(err)
	}

	// Without a controller the one who wakes is one.
	end()
	r.nudged(other, c, sleepers[2])
	for i, name := range sleepers {
		starts := 1
		if i < 3 { // these were woken
			starts = 2
		}
		if r.running(name) != (starts == 2) || r.count("stop", name) != 1 || r.count("provision", name) != starts {
			t.Errorf("%s: runs %v, %d stops, %d starts", name, r.running(name), r.count("stop", name), r.count("provision", name))
		}
	}
}

// nudged wakes a session and types to it, as nudge --wake does.
func (r *rig) nudged(s interface {
	Wake(context.Context, string, string, sleep.Reason) error
}, c *carrier.Carrier, name string) {
	r.t.Helper()
	began := time.Now()
	if err := s.Wake(r.t.Context(), r.state(), name, sleep.Explicit); err != nil {
		r.t.Fatal(err)
	}
	up := time.Since(began)
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	if proof, err := r.sessions().Ready(ctx, name); err != nil {
		r.t.Fatalf("%s is not ready: %v, %+v", name, err, proof)
	}
	ready := time.Since(began)
	if _, err := c.Session(name).Nudge(ctx, nudge.Message{Text: text}); err != nil {
		r.t.Fatal(err)
	}
	r.wait(name+" took the nudge", func() bool { return len(r.log(name).Submitted()) > 0 })
	if got := r.log(name).Submitted(); !slices.Equal(got, []string{text}) {
		r.t.Errorf("%s took %q, want %q", name, got, text)
	}
	r.t.Logf("%s: up after %s, ready after %s", name, up.Round(time.Millisecond), ready.Round(time.Millisecond))
}

// asleepAfter says how long after its window a session was stopped. It fails if an
// earlier look, with the window over, let it stay for anything but the box's slowness.
func asleepAfter(t *testing.T, events []sleep.Event) string {
	t.Helper()
	for _, e := range events {
		switch {
		case e.Action == sleep.Sleep:
			return fmt.Sprintf("stopped %s after its window, %d round trips, the visit took %.2f s", e.Time.Sub(e.Due).Round(time.Millisecond), e.RoundTrips, e.Seconds)
		case e.Due.IsZero() || e.Time.Before(e.Due) || e.Rule == sleep.RuleWindow || e.Rule == sleep.RuleUnproven || e.Rule == sleep.RuleCrowded:
		default:
			t.Errorf("%s was kept after its window: %s: %s", e.Session, e.Rule, e.Why)
		}
	}
	t.Errorf("no sleep among %+v", events)
	return ""
}
