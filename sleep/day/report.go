package day

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/gastownhall/tmux-carrier/sleep"
)

// Report is what a simulated day tells.
type Report struct {
	Seed     uint64        `json:"seed"`
	Sessions int           `json:"sessions"`
	Interval time.Duration `json:"interval_ns"`
	Took     time.Duration `json:"took_ns"`

	Classes []ClassReport  `json:"classes"` // the last is the sum
	Wakes   []WakeReport   `json:"wakes"`
	Rules   map[string]int `json:"decisions"`

	Wrong     []string `json:"wrong"`     // stops against a sign, wakes for nothing
	Forgotten []string `json:"forgotten"` // asked for ten minutes before midnight, and not begun
}

// ClassReport compares one class with keeping all of its sessions up.
type ClassReport struct {
	Class    string  `json:"class"`
	Sessions int     `json:"sessions"`
	Always   float64 `json:"always_hours"` // kept up always
	Up       float64 `json:"up_hours"`     // as it was
	Saved    float64 `json:"saved_hours"`
	Needed   float64 `json:"needed_hours"` // something spoke against sleep: no policy could save these
	Sleeps   int     `json:"sleeps"`
	Wakes    int     `json:"wakes"`
}

// WakeReport says how long what asked for a session waited for its ready prompt;
// those that found it up waited not at all.
type WakeReport struct {
	Reason  sleep.Reason  `json:"reason"`
	Asked   int           `json:"asked"`
	FoundUp int           `json:"found_up"`
	P50     time.Duration `json:"p50_ns"` // of those that had to wait
	P99     time.Duration `json:"p99_ns"`
	Max     time.Duration `json:"max_ns"`
}

// counter counts from several goroutines.
type counter struct {
	mu sync.Mutex
	m  map[string]int
}

func (c *counter) add(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m == nil {
		c.m = map[string]int{}
	}
	c.m[key]++
}

func report(cfg Config, w *world, rules *counter, took time.Duration) Report {
	const day = 24 * time.Hour
	r := Report{Seed: cfg.Seed, Sessions: cfg.Sessions, Interval: cfg.Interval, Took: took, Rules: rules.m}
	sum := ClassReport{Class: "all"}
	waits := map[sleep.Reason][]time.Duration{}
	for _, class := range sleep.Classes {
		c := ClassReport{Class: string(class)}
		for _, b := range w.order {
			if b.policy.Class != class {
				continue
			}
			if b.up {
				b.upFor += day - b.upSince
			}
			c.Sessions++
			c.Always += 24
			c.Up += b.upFor.Hours()
			c.Needed += b.needed.Hours()
			c.Sleeps += b.sleeps
			c.Wakes += b.wakes
			for why, l := range b.latency {
				waits[why] = append(waits[why], l...)
			}
			for _, wrong := range b.wrong {
				r.Wrong = append(r.Wrong, b.name+": "+wrong)
			}
			if !b.dialog && b.doing == nil && len(b.todo) > 0 && b.todo[0].at < day-10*time.Minute {
				r.Forgotten = append(r.Forgotten, b.name)
			}
		}
		c.Saved = c.Always - c.Up
		sum.Sessions, sum.Sleeps, sum.Wakes = sum.Sessions+c.Sessions, sum.Sleeps+c.Sleeps, sum.Wakes+c.Wakes
		sum.Always, sum.Up, sum.Saved, sum.Needed = sum.Always+c.Always, sum.Up+c.Up, sum.Saved+c.Saved, sum.Needed+c.Needed
		r.Classes = append(r.Classes, c)
	}
	r.Classes = append(r.Classes, sum)
	for _, why := range slices.Sorted(maps.Keys(waits)) {
		all := waits[why]
		slices.Sort(all)
		waited := all[len(all)-len(slices.DeleteFunc(slices.Clone(all), func(d time.Duration) bool { return d == 0 })):]
		p := func(q float64) time.Duration {
			if len(waited) == 0 {
				return 0
			}
			return waited[min(len(waited)-1, int(q*float64(len(waited))))]
		}
		r.Wakes = append(r.Wakes, WakeReport{why, len(all), len(all) - len(waited), p(0.5), p(0.99), p(1)})
	}
	return r
}

// String is the report as tables.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "A day of %d sessions, seed %d, a tick every %s (simulated in %s)\n\n", r.Sessions, r.Seed, r.Interval, r.Took.Round(10*time.Millisecond))
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "class\tsessions\tkept always\tup\tsaved\t\tneeded\tsleeps\twakes\t")
	for _, c := range r.Classes {
		fmt.Fprintf(t, "%s\t%d\t%.0f h\t%.0f h\t%.0f h\t%.0f %%\t%.0f h\t%d\t%d\t\n", c.Class, c.Sessions, c.Always, c.Up, c.Saved,
			100*c.Saved/max(1, c.Always), c.Needed, c.Sleeps, c.Wakes)
	}
	fmt.Fprintln(t, "\t\t\t\t\t\t\t\t\t")
	fmt.Fprintln(t, "asked for by\ttimes\tfound it up\twait p50\tp99\tmax\t")
	for _, w := range r.Wakes {
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\t\n", w.Reason, w.Asked, w.FoundUp,
			w.P50.Round(100*time.Millisecond), w.P99.Round(100*time.Millisecond), w.Max.Round(100*time.Millisecond))
	}
	_ = t.Flush() // into a strings.Builder
	fmt.Fprintf(&b, "\nwrong sleeps and wakes: %d   forgotten: %d\n", len(r.Wrong), len(r.Forgotten))
	for _, w := range append(slices.Clone(r.Wrong), r.Forgotten...) {
		fmt.Fprintln(&b, "  "+w)
	}
	return b.String()
}
