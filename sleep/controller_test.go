package sleep

import (
	"context"
	"errors"
	"os"
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
					tick(t, c)
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

// SLP-4, IDL-3: faults of one box fail closed and stay its own.
func TestFaultyBoxes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld()
		now := func(b *fakeBox) { b.policy.Setting.After = time.Second }
		release := make(chan struct{})
		w.add("hangs", func(b *fakeBox) { now(b); b.hangs = true })
		w.add("deaf", func(b *fakeBox) { now(b); b.deaf = release }) // ignores its context
		slow := w.add("slow", func(b *fakeBox) { now(b); b.roundTrip = 4700 * time.Millisecond })
		tooSlow := w.add("too slow", func(b *fakeBox) { now(b); b.roundTrip = 6 * time.Second })
		is2 := w.add("exit 2", func(b *fakeBox) { now(b); b.attached, b.lookErr = CannotTell, errors.New("is-attached: exit 2") })
		w.add("lies no", func(b *fakeBox) { now(b); b.lying, b.says = true, No })
		well := w.add("well", now)
		c, seen := open(t, w, func(c *Controller) { c.Concurrency = 1 })
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		c.Run(ctx)
		close(release)
		synctest.Wait()
		w.check(t)
		if well.stops != 1 || slow.stops != 1 {
			t.Errorf("well %d, slow %d: %+v %+v", well.stops, slow.stops, seen.last["well"], seen.last["slow"])
		}
		for _, name := range []string{"hangs", "deaf", "too slow", "exit 2", "lies no"} {
			if b := w.boxes[name]; b.stops+b.starts > 0 {
				t.Errorf("%s: %d stops, %d starts", name, b.stops, b.starts)
			}
		}
		if tooSlow.proofs == 0 || is2.looks < 3 || is2.looks > 12 {
			t.Errorf("%d proofs of the too slow, %d looks at the failing one", tooSlow.proofs, is2.looks)
		}
		for _, e := range seen.all {
			if e.Session == "well" && e.Action == Sleep && e.Time.Sub(e.Due) > 2*c.Interval {
				t.Errorf("the well one was held up: %s after its due", e.Time.Sub(e.Due))
			}
		}
	})
}

// SLP-3: is-running that goes on saying yes after a stop begins a new window, it
// does not stop again and again; one that cannot tell never stops or starts.
func TestIsRunningLies(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld()
		b := w.add("a", nil)
		c, _ := open(t, w, nil)
		asleep(t, c, b)
		b.lying, b.says = true, Yes
		for range 100 {
			tick(t, c)
			time.Sleep(c.Interval)
		}
		if b.stops != 1 {
			t.Errorf("%d stops of a box that is gone: the proof cannot hold", b.stops)
		}
		b.says = CannotTell
		b.reasons = []Reason{Work}
		for range 100 {
			tick(t, c)
			time.Sleep(c.Interval)
		}
		if b.stops != 1 || b.starts != 0 {
			t.Errorf("%d stops, %d starts of an unknown", b.stops, b.starts)
		}
	})
}

// SLP-2: a stop whose end is not known may still come; until then nothing is
// concluded, and afterwards the window is where it was.
func TestStopFails(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld()
		b := w.add("a", nil)
		c, seen := open(t, w, func(c *Controller) { c.Interval = 5 * time.Second })
		b.stopErr = errors.New("engine restarts")
		for b.stops == 0 {
			tick(t, c)
			time.Sleep(c.Interval)
		}
		if seen.rule("a") != RuleFailed {
			t.Errorf("%+v", seen.last["a"])
		}
		tick(t, c)
		if seen.rule("a") != RuleSettling {
			t.Errorf("%+v", seen.last["a"])
		}
		b.stopErr = nil
		opens := seen.last["a"].Opens
		asleep(t, c, b)
		for _, e := range seen.all {
			if e.Action == Sleep && (!e.Opens.Equal(opens) || b.stops != 2) {
				t.Errorf("%d stops; the window moved: %s, was %s", b.stops, e.Opens, opens)
			}
		}
		// The same, but the stop takes effect late: it is asleep, not down.
		b.stopErr = errors.New("engine restarts")
		b.running, b.activity = true, time.Now().Add(-time.Hour)
		for b.stops == 2 {
			tick(t, c)
			time.Sleep(c.Interval)
		}
		b.running = false
		tick(t, c)
		if seen.rule("a") != RuleAsleep {
			t.Errorf("%+v", seen.last["a"])
		}
		// And when it is woken before the stop is over, and the stop then takes the
		// new box down, it is started again.
		if err := c.Wake(t.Context(), "a", Explicit); err != nil {
			t.Error(err)
		}
		b.running = false
		tick(t, c)
		if !b.running {
			t.Errorf("taken down by the late stop: %+v", seen.last["a"])
		}
		w.check(t)
	})
}

// SLP-3: what cannot be written is not done.
func TestStateUnwritten(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld()
		b := w.add("a", nil)
		dir := t.TempDir() + "/s"
		seen := &events{}
		c := &Controller{Sessions: w, Dir: dir, OnEvent: seen.add}
		if err := c.Open(); err != nil {
			t.Fatal(err)
		}
		tick(t, c)
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		for range 30 {
			c.Tick(t.Context())
			time.Sleep(c.Interval)
		}
		if b.stops != 0 || seen.rule("a") != RuleStateErr {
			t.Errorf("%d stops; %+v", b.stops, seen.last["a"])
		}
		c.Close()
	})
}

// SLP-2: the wall clock jumps, forward and back; the window begins anew.
func TestClockJumps(t *testing.T) {
	for _, by := range []time.Duration{8 * time.Hour, -8 * time.Hour} {
		bubble(t, func(t *testing.T) {
			w := newWorld()
			b := w.add("a", nil)
			b.activity = time.Now().Add(-24 * time.Hour)
			began, skew := time.Now(), time.Duration(0)
			c, seen := open(t, w, func(c *Controller) {
				c.Clock = func() (time.Time, time.Duration) { return time.Now().Add(skew), time.Since(began) }
			})
			for range 18 { // nine minutes of ten
				tick(t, c)
				time.Sleep(c.Interval)
			}
			skew = by
			for range 19 { // and nine more
				tick(t, c)
				if b.stops != 0 {
					t.Fatalf("asleep after a jump by %s: %+v", by, seen.last["a"])
				}
				time.Sleep(c.Interval)
			}
			asleep(t, c, b)
			w.check(t)
		})
	}
}
