package sleep

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The controller of the kill test runs in a process of its own, this binary
// again, with a world in files. Its clock runs 200 times as fast, so that a window
// of five minutes takes 1.5 s, and a woken session is held for 0.3 s.
const (
	killEnv   = "SLEEP_TEST_KILL_DIR"
	killSpeed = 200
	killAfter = 5 * time.Minute
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(killEnv); dir != "" {
		runKilled(dir)
	}
	os.Exit(m.Run())
}

// fileBox is one session of the world in files. Every change replaces the file
// whole, so its counts are as they were at the instant of a kill.
type fileBox struct {
	Running  bool
	Attached bool
	Activity time.Time
	Reasons  []Reason

	Wanted    bool // a reason was there since the last stop
	Stops     int
	Starts    int
	StoppedAt time.Time
	Wrong     []string
}

type fileWorld struct {
	dir   string
	began time.Time
}

func openFileWorld(dir string) fileWorld {
	text, err := os.ReadFile(filepath.Join(dir, "began"))
	if err != nil {
		panic(err)
	}
	nano, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		panic(err)
	}
	return fileWorld{dir, time.Unix(0, nano)}
}

func (w fileWorld) now() time.Time {
	return w.began.Add(time.Since(w.began) * killSpeed).Round(0)
}

func (w fileWorld) path(name string) string { return filepath.Join(w.dir, "box-"+name) }

func (w fileWorld) read(name string) (b fileBox) {
	text, err := os.ReadFile(w.path(name))
	if err == nil {
		err = json.Unmarshal(text, &b)
	}
	if err != nil {
		panic(err)
	}
	return b
}

// change is called by one process at a time for a session.
func (w fileWorld) change(name string, f func(b *fileBox)) {
	b := w.read(name)
	f(&b)
	text, _ := json.Marshal(b)
	tmp := w.path(name) + ".new"
	if err := os.WriteFile(tmp, text, 0o600); err != nil {
		panic(err)
	}
	if err := os.Rename(tmp, w.path(name)); err != nil {
		panic(err)
	}
}

func (w fileWorld) names() (names []string) {
	all, _ := filepath.Glob(w.path("*"))
	for _, p := range all {
		if name := strings.TrimPrefix(filepath.Base(p), "box-"); !strings.HasSuffix(name, ".new") {
			names = append(names, name)
		}
	}
	return names
}

func (w fileWorld) List(context.Context) (all []Entry, err error) {
	for _, n := range w.names() {
		after := killAfter
		if len(n) == 1 { // these are to fall asleep as often as they can
			after = 0
		}
		all = append(all, Entry{Name: n, Policy: Policy{InteractiveResume, Setting{true, after, "test"}, Full, true}})
	}
	return all, nil
}

func pause() { time.Sleep(time.Duration(rand.IntN(8000)) * time.Microsecond) }

func (w fileWorld) Look(_ context.Context, name string, _ Ask) Facts {
	b := w.read(name)
	f := Facts{Running: No, Attached: No}
	if b.Running {
		f.Running, f.LastActivity = Yes, b.Activity
		if b.Attached {
			f.Attached = Yes
		}
	}
	return f
}

func (w fileWorld) Prove(context.Context, string) (Proof, error) {
	pause()
	return Proof{State: AtBoundary}, nil
}

func (w fileWorld) WakeReasons(_ context.Context, name string) ([]Reason, error) {
	return w.read(name).Reasons, nil
}

func (w fileWorld) Stop(_ context.Context, name string) error {
	pause()
	w.change(name, func(b *fileBox) {
		if !b.Running {
			b.Wrong = append(b.Wrong, "stopped twice")
		}
		if b.Attached || len(b.Reasons) > 0 {
			b.Wrong = append(b.Wrong, fmt.Sprintf("stopped, attached %v, reasons %v", b.Attached, b.Reasons))
		}
		b.Running, b.Wanted, b.StoppedAt = false, false, w.now()
		b.Stops++
	})
	pause()
	return nil
}

func (w fileWorld) Start(_ context.Context, name string, why Reason) error {
	pause()
	w.change(name, func(b *fileBox) {
		if !b.Running && !b.Wanted {
			b.Wrong = append(b.Wrong, fmt.Sprintf("woken by mistake (%q)", why))
		}
		if !b.Running {
			b.Starts++
		}
		b.Running, b.Activity = true, w.now()
	})
	pause()
	return nil
}

func runKilled(dir string) {
	w := openFileWorld(dir)
	c := &Controller{
		Sessions: w, Dir: filepath.Join(dir, "state"), Interval: 10 * time.Millisecond,
		Clock: func() (time.Time, time.Duration) { n := w.now(); return n, n.Sub(w.began) },
	}
	if err := c.Open(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	go func() { // an orphan ends
		io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}()
	fmt.Println("ready")
	c.Run(context.Background())
}

// life starts a controller, and returns how to kill it.
func life(t *testing.T, dir string) (kill func()) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^$")
	cmd.Env = append(os.Environ(), killEnv+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if _, err := cmd.StdinPipe(); err != nil { // closed when this process ends, however it does
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	if line != "ready\n" {
		t.Fatalf("the controller says %q", line)
	}
	return func() {
		cmd.Process.Kill()
		cmd.Wait()
	}
}

// SLP-2, SLP-3: killed at random moments, again and again, the controller stops no
// session twice, wakes none by mistake and forgets none; windows go on, though no
// life is as long as one. SLEEP_KILLS=100 for the long run.
func TestKilled(t *testing.T) {
	kills := 30
	if n, err := strconv.Atoi(os.Getenv("SLEEP_KILLS")); err == nil {
		kills = n
	}
	seed := seed()
	r := rand.New(rand.NewPCG(seed, 3))
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "began"), []byte(strconv.FormatInt(time.Now().UnixNano(), 10)), 0o600)
	w := openFileWorld(dir)
	names := []string{"steady", "attached", "a", "b", "c", "d", "e", "f"}
	for _, n := range names {
		os.WriteFile(w.path(n), []byte("{}"), 0o600)
		w.change(n, func(b *fileBox) {
			b.Running, b.Attached, b.Activity = true, n == "attached", w.began
		})
	}
	state, inside := filepath.Join(dir, "state"), 0

	// No controller runs while the test changes the world: what it does then, it
	// does knowing.
	for round := 0; round < kills || !w.read("steady").StoppedAt.After(w.began); round++ {
		if round > kills+300 {
			t.Fatalf("SLEEP_SEED=%d: the steady one never sleeps: its window does not go on", seed)
		}
		for range 3 {
			n := names[2+r.IntN(6)]
			switch b := w.read(n); r.IntN(7) {
			case 0:
				w.change(n, func(b *fileBox) { b.Reasons, b.Wanted = []Reason{Work}, true })
			case 1:
				w.change(n, func(b *fileBox) { b.Wanted = true })
				if err := RequestWake(state, n, Explicit); err != nil {
					t.Fatal(err)
				}
			case 2:
				w.change(n, func(b *fileBox) { b.Attached = b.Running })
			default:
				if b.Running { // the work is done
					w.change(n, func(b *fileBox) { b.Reasons, b.Attached = nil, false })
				}
			}
		}
		kill := life(t, dir)
		time.Sleep(time.Duration(r.IntN(120_000)) * time.Microsecond) // the random moment
		kill()
		if s, err := readStore(filepath.Join(state, "state.json")); err == nil {
			s.each(func(_ string, r Record) {
				if r.Phase == Stopping || r.Phase == Waking {
					inside++
				}
			})
		}
	}

	// The end: half are wanted, half are not, and one last controller has its time.
	for i, n := range names[2:] {
		w.change(n, func(b *fileBox) {
			b.Attached, b.Reasons = false, nil
			if i%2 == 0 {
				b.Reasons, b.Wanted = []Reason{Work}, true
			}
		})
	}
	kill := life(t, dir)
	defer kill()
	settled := func() (bad []string) {
		for i, n := range names {
			b := w.read(n)
			if want := n == "attached" || i >= 2 && i%2 == 0; b.Running != want {
				bad = append(bad, fmt.Sprintf("%s: running %v", n, b.Running))
			}
		}
		return bad
	}
	for end := time.Now().Add(30 * time.Second); len(settled()) > 0; {
		if time.Now().After(end) {
			t.Errorf("SLEEP_SEED=%d: forgotten: %v", seed, settled())
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	kill()
	stops, starts := 0, 0
	for _, n := range names {
		b := w.read(n)
		stops, starts = stops+b.Stops, starts+b.Starts
		if len(b.Wrong) > 0 {
			t.Errorf("SLEEP_SEED=%d: %s: %v", seed, n, b.Wrong)
		}
	}
	if b := w.read("steady"); b.Stops != 1 || b.StoppedAt.Sub(w.began) < killAfter {
		t.Errorf("SLEEP_SEED=%d: the steady one was stopped %d times, %s after it was idle; its window is %s",
			seed, b.Stops, b.StoppedAt.Sub(w.began), killAfter)
	}
	aside, _ := filepath.Glob(filepath.Join(state, "*.corrupt-*"))
	if len(aside) > 0 {
		t.Errorf("SLEEP_SEED=%d: a kill left a broken state: %v", seed, aside)
	}
	t.Logf("%d kills, %d stops and starts cut by them; in all %d stops, %d starts, in %s", kills, inside, stops, starts, time.Since(w.began).Round(time.Millisecond))
}
