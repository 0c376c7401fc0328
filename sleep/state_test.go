package sleep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// SLP-2, SLP-3: a controller that is replaced at every tick loses no window, and
// wakes and stops nothing by mistake.
func TestRestarts(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w, dir := newWorld(), t.TempDir()
		b := w.add("a", nil)
		began, slept := time.Now(), time.Duration(0)
		for range 60 {
			c := &Controller{Sessions: w, Dir: dir}
			if err := c.Open(); err != nil {
				t.Fatal(err)
			}
			tick(t, c)
			if slept == 0 && !b.running {
				slept = time.Since(began)
			}
			time.Sleep(c.Interval)
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
		}
		w.check(t)
		if b.stops != 1 || b.starts != 0 || slept < 10*time.Minute || slept > 11*time.Minute {
			t.Errorf("%d stops, %d starts, asleep after %s", b.stops, b.starts, slept)
		}
		info, err := os.Stat(filepath.Join(dir, "state.json"))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
}

// SLP-3: a state file cut at any byte, or overwritten with rubbish, is read whole
// or set aside; then windows begin anew, and a sleeper is woken by a reason only.
func TestBrokenState(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w, dir := newWorld(), t.TempDir()
		path := filepath.Join(dir, "state.json")
		b := w.add("a", nil)
		c := &Controller{Sessions: w, Dir: dir}
		if err := c.Open(); err != nil {
			t.Fatal(err)
		}
		asleep(t, c, b)
		c.Close()
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		broken := [][]byte{make([]byte, len(whole)), []byte("null"), []byte("{}"), []byte("[1]"), []byte(`{"version":-3}`)}
		for n := range whole[:len(whole)-1] {
			broken = append(broken, whole[:n])
		}
		for _, text := range broken {
			os.WriteFile(path, text, 0o600)
			s, aside, err := openStore(path, time.Now())
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			if len(s.records) > 0 && string(text) != strings.TrimSpace(string(whole)) {
				t.Errorf("%q was read as %v", text, s.records)
			}
			if len(s.records) == 0 {
				if kept, err := os.ReadFile(aside); err != nil || string(kept) != string(text) {
					t.Fatalf("%q was not set aside: %v", text, err)
				}
				os.Remove(aside)
			}
		}
		os.WriteFile(path, whole[:9], 0o600)
		c, seen := open(t, w, func(c *Controller) { c.Dir = dir })
		tick(t, c)
		tick(t, c)
		if b.starts != 0 || seen.rule("a") != RuleDown {
			t.Errorf("%d starts, %+v", b.starts, seen.last["a"])
		}
		b.reasons = []Reason{Work}
		tick(t, c)
		if !b.running {
			t.Errorf("forgotten: %+v", seen.last["a"])
		}
		w.check(t)
	})
}

// A state of a later version is left alone.
func TestLaterState(t *testing.T) {
	dir := t.TempDir()
	text := []byte(`{"version":2,"sessions":{}}`)
	path := filepath.Join(dir, "state.json")
	os.WriteFile(path, text, 0o600)
	if err := (&Controller{Sessions: newWorld(), Dir: dir}).Open(); err == nil {
		t.Error("opened")
	}
	if now, _ := os.ReadFile(path); string(now) != string(text) {
		t.Errorf("changed: %s", now)
	}
	// and the lock was given back
	os.Remove(path)
	c := &Controller{Sessions: newWorld(), Dir: dir}
	if err := c.Open(); err != nil {
		t.Error(err)
	}
	c.Close()
}

// SLP-3: of two controllers on one state, one works, and the other takes over.
func TestTwoControllersOneState(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w, dir := newWorld(), t.TempDir()
		b := w.add("a", nil)
		first := &Controller{Sessions: w, Dir: dir}
		second := &Controller{Sessions: w, Dir: dir}
		if err := first.Open(); err != nil {
			t.Fatal(err)
		}
		if err := second.Open(); !errors.Is(err, ErrHeld) {
			t.Fatal(err)
		}
		asleep(t, first, b)
		// The process that is not in charge leaves a wish.
		if err := RequestWake(dir, "a", Attach); err != nil {
			t.Fatal(err)
		}
		tick(t, first)
		if !b.running || b.starts != 1 {
			t.Errorf("the wish was not served: running %v, %d starts", b.running, b.starts)
		}
		first.Close()
		if err := second.Open(); err != nil {
			t.Fatal(err)
		}
		tick(t, second)
		if left, _ := requests(dir); len(left) > 0 || b.starts != 1 {
			t.Errorf("served again: %v, %d starts", left, b.starts)
		}
		second.Close()
		w.check(t)
	})
}

// SLP-3: two controllers that do not know of each other, on the same sessions, do
// no harm: no session is stopped against a sign or stays down against a reason.
func TestTwoControllersTwoStates(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld()
		for _, n := range []string{"a", "b", "c", "d"} {
			w.add(n, func(b *fakeBox) { b.policy.Setting.After = time.Minute })
		}
		w.boxes["c"].attached = Yes
		one, _ := open(t, w, func(c *Controller) { c.Interval = 7 * time.Second })
		two, _ := open(t, w, func(c *Controller) { c.Interval = 11 * time.Second })
		ctx := t.Context()
		for range 40 {
			done := make(chan error)
			go func() { done <- one.Tick(ctx) }()
			err := errors.Join(two.Tick(ctx), <-done)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Second)
		}
		if w.boxes["a"].running || w.boxes["b"].running || !w.boxes["c"].running {
			t.Error("not all idle ones sleep, or the attached one does")
		}
		w.set(func() { w.boxes["a"].reasons = []Reason{Work} })
		one.Wake(ctx, "b", Explicit)
		for range 3 {
			one.Tick(ctx)
			two.Tick(ctx)
		}
		if !w.boxes["a"].running || !w.boxes["b"].running {
			t.Error("not all wanted ones are up")
		}
		// Both may stop or start the same box at the same time; that is what the
		// idempotence of the two is for. Nothing else may have gone wrong.
		for _, b := range w.boxes {
			b.wrong = slices.DeleteFunc(b.wrong, func(s string) bool { return s == "stopped twice" || s == "started twice" })
		}
		w.check(t)
	})
}

// SLP-3: a wish of another process is served between ticks, whatever the name.
func TestRequestWhileRunning(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w, dir := newWorld(), t.TempDir()
		name := "../../" + strings.Repeat("x/ü", 200)
		b := w.add(name, func(b *fakeBox) { b.running = false })
		c, _ := open(t, w, func(c *Controller) { c.Dir = dir; c.Interval = time.Hour })
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- c.Run(ctx) }()
		time.Sleep(time.Minute)
		if err := RequestWake(dir, name, Work); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second) // a poll of 250 ms, a look and a start of 1.1 s
		w.set(func() {
			if !b.running || b.starts != 1 {
				t.Errorf("running %v, %d starts", b.running, b.starts)
			}
		})
		cancel()
		<-done
		if left, _ := requests(dir); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	})
}

// A wake request that was cut, or is no request, is dropped.
func TestBrokenRequest(t *testing.T) {
	dir := t.TempDir()
	if err := RequestWake(dir, "a", ""); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(requestDir(dir), "rubbish"), []byte("{"), 0o600)
	all, err := requests(dir)
	if err != nil || len(all) != 1 || all[0] != (request{"a", Explicit}) {
		t.Errorf("%v, %v", all, err)
	}
	if files, _ := os.ReadDir(requestDir(dir)); len(files) != 1 {
		t.Errorf("%v", files)
	}
}

// SLP-2: an attach that was seen is on disk before the tick is over: a controller
// that is killed then would else count the time before it as idle.
func TestAttachIsDurable(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w, dir := newWorld(), t.TempDir()
		b := w.add("a", nil)
		var onDisk []Record
		c, _ := open(t, w, func(c *Controller) {
			c.Dir = dir
			c.OnEvent = func(Event) {
				s, err := readStore(filepath.Join(dir, "state.json"))
				if err != nil {
					t.Error(err)
				}
				onDisk = append(onDisk, s.get("a"))
			}
		})
		tick(t, c)
		b.attached = Yes
		tick(t, c)
		b.attached = No
		tick(t, c)
		b.running = false
		tick(t, c)
		if !onDisk[1].DetachedSince.IsZero() || onDisk[3].Phase != Down {
			t.Errorf("%+v", onDisk)
		}
	})
}

// All who wait for the disk at one time share a write.
func TestSharedWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	s, _, err := openStore(path, t0)
	if err != nil {
		t.Fatal(err)
	}
	s.writing.Lock()
	var put, done sync.WaitGroup
	put.Add(100)
	for i := range 100 {
		done.Go(func() {
			s.put(fmt.Sprint("s", i), Record{Phase: Asleep})
			put.Done()
			if err := s.sync(); err != nil {
				t.Error(err)
			}
		})
	}
	put.Wait()
	s.writing.Unlock()
	done.Wait()
	again, err := readStore(path)
	if s.writes != 1 || err != nil || len(again.records) != 100 {
		t.Errorf("%d writes, %d records, %v", s.writes, len(again.records), err)
	}
}
