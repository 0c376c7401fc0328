package sleep

import (
	"context"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

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
		w.add("late", func(b *fakeBox) { now(b); b.late = 11 * time.Second })
		w.add("late proof", func(b *fakeBox) { now(b); b.lateProof = 6 * time.Second })
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
		for _, name := range []string{"hangs", "deaf", "too slow", "exit 2", "lies no", "late", "late proof"} {
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
		tick(t, c)
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
