package sleep

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// SLP-1, SLP-2, SLP-3, IDL-2: sessions in every state fall asleep or stay, within
// window + tick + proof, and cost no call that could not matter.
func TestEveryState(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld()
		want := map[string]Rule{}
		add := func(name string, rule Rule, change func(*fakeBox)) { w.add(name, change); want[name] = rule }
		add("idle", RuleAsleep, nil)
		add("off", RuleOff, func(b *fakeBox) { b.policy.Setting = Setting{Source: "x"} })
		add("attached", "attached", func(b *fakeBox) { b.attached = Yes })
		add("cannot-tell", RuleAttachUnknown, func(b *fakeBox) { b.attached = CannotTell })
		add("busy", "busy", func(b *fakeBox) { b.screen = Busy })
		add("dialog", "dialog", func(b *fakeBox) { b.screen = Dialog })
		add("draft", "draft", func(b *fakeBox) { b.screen = Draft })
		add("starting", "starting", func(b *fakeBox) { b.screen = Starting })
		add("no-boundary", RuleNeedsFull, func(b *fakeBox) { b.screen = Unsupported })
		add("work", "work", func(b *fakeBox) { b.reasons = []Reason{Work} })
		add("reasons-fail", RuleReasonsUnknown, func(b *fakeBox) { b.reasonErr = errors.New("no store") })
		add("future", RuleActivityFuture, func(b *fakeBox) { b.activity = time.Now().Add(5 * time.Hour) })
		add("no-activity", RuleActivityUnknown, func(b *fakeBox) { b.activity = time.Time{} })
		add("timed", RuleAsleep, func(b *fakeBox) { b.policy = Policy{Noninteractive, b.policy.Setting, TimedOnly, true} })
		add("timed-blind", RuleAsleep, func(b *fakeBox) { b.policy = Policy{Noninteractive, b.policy.Setting, TimedOnly, false} })
		add("timed-attached", "attached", func(b *fakeBox) {
			b.policy, b.attached = Policy{Noninteractive, b.policy.Setting, TimedOnly, true}, Yes
		})
		add("timed-person", RuleNeedsFull, func(b *fakeBox) { b.policy.Capability = TimedOnly })
		add("disabled", RuleDisabled, func(b *fakeBox) { b.policy.Capability = Disabled })
		add("down", RuleDown, func(b *fakeBox) { b.running = false })
		add("hour", RuleWindow, func(b *fakeBox) { b.policy.Setting.After = 2 * time.Hour })
		c, seen := open(t, w, nil)
		ctx, cancel := context.WithTimeout(t.Context(), 12*time.Minute+5*time.Second)
		defer cancel()
		if err := c.Run(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		w.check(t)
		for name, rule := range want {
			b := w.boxes[name]
			if got := seen.rule(name); got != rule {
				t.Errorf("%s: %s, want %s; %+v", name, got, rule, seen.last[name])
			}
			if slept := b.stops == 1; slept != (rule == RuleAsleep) || b.starts != 0 {
				t.Errorf("%s: %d stops, %d starts", name, b.stops, b.starts)
			}
		}
		for _, e := range seen.all {
			if e.Session == "idle" && e.Action == Sleep {
				// First seen detached at the start, so the window opened there.
				if late := e.Time.Sub(e.Due); late < 0 || late > c.Interval+time.Second {
					t.Errorf("asleep %s after it was due", late)
				}
			}
		}
		for _, ask := range append(w.boxes["timed-blind"].asks, w.boxes["off"].asks...) {
			if ask&AskAttached != 0 {
				t.Error("is-attached was asked without being declared, or in vain")
			}
		}
		if b := w.boxes["timed"]; b.proofs != 0 {
			t.Error("a proof under timed_only")
		}
	})
}

// SLP-2: what comes between the proof and the stop is seen.
func TestSeenAfterTheProof(t *testing.T) {
	for name, spoil := range map[string]func(*fakeBox){
		"work":        func(b *fakeBox) { b.reasons = []Reason{Work} },
		"attach":      func(b *fakeBox) { b.attached = Yes },
		"cannot tell": func(b *fakeBox) { b.attached = CannotTell },
		"activity":    func(b *fakeBox) { b.activity = time.Now() },
		"fail":        func(b *fakeBox) { b.reasonErr = errors.New("gone") },
		"is-running":  func(b *fakeBox) { b.lying = true },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				w := newWorld()
				b := w.add("a", func(b *fakeBox) { b.policy.Setting.After = time.Second })
				b.onProve = func() { w.set(func() { spoil(b) }) }
				c, seen := open(t, w, nil)
				tick(t, c)
				time.Sleep(c.Interval)
				tick(t, c)
				if b.proofs != 1 || b.stops != 0 {
					t.Errorf("%d proofs, %d stops: %+v", b.proofs, b.stops, seen.last["a"])
				}
				w.check(t)
			})
		})
	}
}

// asleep brings a world's only session to sleep.
func asleep(t *testing.T, c *Controller, b *fakeBox) {
	t.Helper()
	for range 100 {
		if b.stops > 0 && !b.running {
			return
		}
		tick(t, c)
		time.Sleep(c.Interval)
	}
	t.Fatal("it does not fall asleep")
}

// SLP-3: a wake during a look, a proof, a stop, a start.
func TestWakeAnyTime(t *testing.T) {
	for _, when := range []string{"look", "prove", "stop", "start", "tick's start", "asleep", "awake"} {
		t.Run(when, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				w := newWorld()
				b := w.add("a", func(b *fakeBox) { b.policy.Setting.After = time.Second })
				dir := t.TempDir()
				c, seen := open(t, w, func(c *Controller) { c.Dir = dir })
				woken := make(chan error, 2)
				started := false
				wake := func() {
					if !started {
						started = true
						go func() { woken <- c.Wake(t.Context(), "a", Explicit) }()
						synctest.Wait()
					}
				}
				wantStops, wantStarts := 0, 0
				switch when {
				case "look":
					tick(t, c)
					time.Sleep(c.Interval)
					go func() { time.Sleep(50 * time.Millisecond); wake() }()
					began := time.Now()
					tick(t, c)
					if err := <-woken; err != nil || time.Since(began) > 160*time.Millisecond {
						t.Errorf("%v, after %s: it waited for the look", err, time.Since(began))
					}
					woken <- nil
				case "prove":
					b.onProve = wake
					tick(t, c)
					time.Sleep(c.Interval)
					tick(t, c)
				case "stop":
					b.onStop = wake
					wantStops, wantStarts = 1, 1
					asleep1 := func() { tick(t, c); time.Sleep(c.Interval); tick(t, c) }
					asleep1()
				case "start":
					asleep(t, c, b)
					b.onStart = func() {
						b.onStart = nil
						wake()
					}
					wantStops, wantStarts = 1, 1
					if err := c.Wake(t.Context(), "a", Attach); err != nil {
						t.Error(err)
					}
				case "tick's start":
					asleep(t, c, b)
					b.reasons = []Reason{Work}
					b.onStart = func() {
						w.set(func() { b.onStart, b.reasons = nil, nil })
						wake()
					}
					wantStops, wantStarts = 1, 1
					tick(t, c)
				case "asleep":
					asleep(t, c, b)
					wantStops, wantStarts = 1, 1
					wake()
				case "awake":
					tick(t, c)
					wake()
				}
				if err := <-woken; err != nil {
					t.Error(err)
				}
				w.check(t)
				if !b.running || b.stops != wantStops || b.starts != wantStarts {
					t.Errorf("running %v, %d stops, %d starts; want %d, %d; %+v", b.running, b.stops, b.starts, wantStops, wantStarts, seen.all)
				}
				if left, _ := requests(dir); len(left) > 0 {
					t.Errorf("wishes left: %v", left)
				}
				// It is held for what woke it, then sleeps again.
				tick(t, c)
				if got := seen.rule("a"); got != RuleWoken {
					t.Errorf("right after: %s", got)
				}
				stops := b.stops
				for range 8 {
					time.Sleep(c.Interval)
					tick(t, c)
				}
				if b.stops != stops+1 {
					t.Errorf("it does not fall asleep again: %+v", seen.last["a"])
				}
			})
		})
	}
}

// SLP-3: reasons and a changed policy wake a sleeper; configuration alone does not.
func TestWakesOfTheTick(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld()
		b := w.add("a", nil)
		c, seen := open(t, w, nil)
		asleep(t, c, b)
		for range 50 {
			tick(t, c)
			time.Sleep(c.Interval)
		}
		if b.starts != 0 || seen.rule("a") != RuleAsleep {
			t.Fatalf("woken by configuration: %+v", seen.last["a"])
		}
		b.reasons = []Reason{Wait}
		tick(t, c)
		if b.starts != 1 || seen.rule("a") != "wake-wait" {
			t.Fatalf("%d starts, %+v", b.starts, seen.last["a"])
		}
		b.reasons = nil
		b.stops = 0
		asleep(t, c, b)
		b.policy.Setting.After = 5 * time.Minute
		tick(t, c)
		if b.starts != 2 || seen.rule("a") != RulePolicyChanged {
			t.Fatalf("%d starts, %+v", b.starts, seen.last["a"])
		}
		// Started by somebody else: a new life, with a window of its own.
		b.stops = 0
		asleep(t, c, b)
		b.running, b.activity = true, time.Now().Add(-time.Hour)
		tick(t, c)
		if seen.rule("a") != RuleWindow || b.stops != 1 {
			t.Errorf("%+v", seen.last["a"])
		}
		w.check(t)
	})
}

// SLP-3: a start that fails is tried again, with growing pauses; a wish waits.
func TestStartFails(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld()
		b := w.add("a", nil)
		c, seen := open(t, w, func(c *Controller) { c.Dir = t.TempDir() })
		asleep(t, c, b)
		b.startErr = errors.New("no room")
		if err := c.Wake(t.Context(), "a", Explicit); err == nil {
			t.Error("a failed start is no success")
		}
		for range 20 {
			tick(t, c)
			time.Sleep(c.Interval)
		}
		if b.starts < 4 || b.starts > 6 || b.running {
			t.Errorf("%d starts in 20 ticks: %+v", b.starts, seen.last["a"])
		}
		b.startErr = nil
		for range 40 {
			if tick(t, c); b.running {
				break
			}
			time.Sleep(c.Interval)
		}
		if !b.running {
			t.Errorf("forgotten: %+v", seen.last["a"])
		}
		w.check(t)
	})
}

// SLP-3: work that comes during a stop is served in the same breath.
func TestWorkDuringStop(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld()
		b := w.add("a", func(b *fakeBox) { b.policy.Setting.After = time.Second })
		b.onStop = func() { w.set(func() { b.reasons = []Reason{Work} }) }
		c, _ := open(t, w, nil)
		tick(t, c)
		time.Sleep(c.Interval)
		tick(t, c)
		if b.stops != 1 || b.starts != 1 || !b.running {
			t.Errorf("%d stops, %d starts", b.stops, b.starts)
		}
	})
}

// SLP-3: a controller that ends during a stop lets it come to its end, and knows it.
func TestEndDuringStop(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld()
		b := w.add("a", func(b *fakeBox) { b.policy.Setting.After = time.Second })
		ctx, cancel := context.WithCancel(t.Context())
		b.onStop = cancel
		c, _ := open(t, w, nil)
		c.Run(ctx)
		if r := c.store.get("a"); b.running || r.Phase != Asleep {
			t.Errorf("running %v, %+v", b.running, r)
		}
	})
}
