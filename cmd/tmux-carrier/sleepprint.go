package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/gastownhall/tmux-carrier/sleep"
)

// decisions prints what a controller decides. Its goroutines may all print at once.
type decisions struct {
	p    *program
	mu   sync.Mutex
	last map[string]sleep.Decision
}

// print prints all decisions as JSON, and those that differ from the last of the session
// for people: most of them say again what the tick before said.
func (d *decisions) print(e sleep.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.p.json {
		printJSON(d.p.out, e)
		return
	}
	if d.last == nil {
		d.last = map[string]sleep.Decision{}
		fmt.Fprintf(d.p.out, decisionRow, "TIME", "SESSION", "ACTION", "RULE", "WHY")
	}
	last, known := d.last[e.Session]
	d.last[e.Session] = e.Decision
	if known && e.Action == sleep.Keep && e.Action == last.Action && e.Rule == last.Rule {
		return
	}
	action := string(e.Action)
	if e.DryRun && e.Action != sleep.Keep {
		action = "(" + action + ")"
	}
	fmt.Fprintf(d.p.out, decisionRow, e.Time.Local().Format(time.TimeOnly), printable(e.Session), action, e.Rule, printable(e.Why))
}

const decisionRow = "%-8s  %-16s  %-7s  %-16s  %s\n"

func (d *decisions) warn(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.p.warn(text)
}

// explanation is a decision with what it rests on.
func explanation(e sleep.Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s (%s): %s\n", printable(e.Session), e.Action, e.Rule, printable(e.Why))
	fmt.Fprintf(&b, "  it is %s, attached %s, last active %s\n", e.State, e.Attached, clock(e.LastActivity))
	fmt.Fprintf(&b, "  class %s, sleeps after %s (%s), runtime %s\n", e.Class, e.After, e.Source, e.Capability)
	if !e.Opens.IsZero() {
		fmt.Fprintf(&b, "  idle since %s, for long enough at %s\n", clock(e.Opens), clock(e.Due))
	}
	if e.Proof != "" {
		fmt.Fprintf(&b, "  its screen: %s (%s)\n", e.Proof, printable(e.Sign))
	}
	for _, r := range e.Reasons {
		fmt.Fprintf(&b, "  it must be up: %s\n", r)
	}
	return b.String()
}

func clock(t time.Time) string {
	if t.IsZero() {
		return "unknown"
	}
	return t.Local().Format(time.DateTime)
}

// warnings is a slog.Handler that makes warnings of the program of the controller's.
type warnings struct {
	out   *decisions
	attrs []slog.Attr
}

func (w *warnings) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelWarn }
func (w *warnings) WithGroup(string) slog.Handler                { return w }

func (w *warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &warnings{w.out, append(w.attrs[:len(w.attrs):len(w.attrs)], attrs...)}
}

func (w *warnings) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	add := func(a slog.Attr) bool {
		text += fmt.Sprintf(" (%s: %s)", a.Key, a.Value)
		return true
	}
	for _, a := range w.attrs {
		add(a)
	}
	r.Attrs(add)
	w.out.warn(text)
	return nil
}
