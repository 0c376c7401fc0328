package live_test

import (
	"bufio"
	"context"
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

	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/sleep"
)

// killAfter is the window of the kill test: no life of a controller is as long.
const killAfter = 4 * time.Second

// beController runs a controller over the config of a rig, until it is killed or its
// parent ends.
func beController(dir string) int {
	config, err := os.ReadFile(filepath.Join(dir, "sleep.toml"))
	if err == nil {
		err = control(string(config), dir)
	}
	fmt.Println(err)
	return 1
}

func control(config, dir string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	s, err := open(&rpp.Provider{Command: []string{self, "be-runtime"}}, config, dir)
	if err != nil {
		return err
	}
	c := &sleep.Controller{Sessions: s, Dir: filepath.Join(dir, "sleep.state"), Interval: 200 * time.Millisecond}
	if err := c.Open(); err != nil {
		return err
	}
	go func() { // an orphan ends
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}()
	fmt.Println("ready")
	return c.Run(context.Background())
}

// life starts a controller of its own process, and returns how to kill it.
func (r *rig) life() (kill func()) {
	r.t.Helper()
	cmd := exec.Command(r.runtime.Command[0], "be-controller", r.dir)
	cmd.Env, cmd.Stderr = r.runtime.Env, os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		_, err = cmd.StdinPipe() // closed when this process ends, however it does
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		r.t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	if line != "ready\n" {
		r.t.Errorf("the controller says %q", line)
	}
	return func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

// SLP-2, SLP-3: a controller over real boxes that is killed at random moments, again and
// again, stops no session twice, wakes none by mistake and forgets none; a window goes on
// though no life is as long as one. LIVE_KILLS=100 for the long run.
func TestKilled(t *testing.T) {
	t.Parallel()
	kills := 8
	if n, err := strconv.Atoi(os.Getenv("LIVE_KILLS")); err == nil {
		kills = n
	}
	r := newRig(t, "")
	names := []string{"a", "b", "c", "d"}
	for _, name := range names {
		r.add(name, "interactive_resume", killAfter.String())
	}
	r.add("off", "interactive_resume", "off")
	r.add("draft", "interactive_resume", "0s", "--draft", "half")
	if err := os.WriteFile(filepath.Join(r.dir, "sleep.toml"), []byte(r.config), 0o600); err != nil {
		t.Fatal(err)
	}
	r.start(r.sessions())

	kill := func() {
		t.Helper()
		end := r.life()
		time.Sleep(rand.N(killAfter - time.Second)) // the random moment
		end()
	}
	asleep := func() (n int) {
		for _, name := range names {
			if !r.running(name) {
				n++
			}
		}
		return n
	}
	for range kills / 2 {
		kill()
	}
	lives := kills / 2
	for end := time.Now().Add(2 * patience); asleep() < len(names); lives++ {
		if time.Now().After(end) {
			t.Fatalf("after %d lives %d of %d sleep: %q", lives, asleep(), len(names), r.asked())
		}
		kill()
	}
	t.Logf("all asleep after %d lives", lives)
	for _, name := range names {
		if r.count("stop", name) != 1 || r.count("provision", name) != 1 {
			t.Errorf("%s: %d stops, %d starts", name, r.count("stop", name), r.count("provision", name))
		}
	}

	// Two of them are wanted, in the middle of it.
	for i := range kills / 2 {
		if i < 2 {
			if err := sleep.RequestWake(r.state(), names[i], sleep.Explicit); err != nil {
				t.Fatal(err)
			}
		}
		kill()
	}
	end := r.life()
	defer end()
	for _, name := range names[:2] {
		r.wait(name+" is awake", func() bool {
			why, err := sleep.Requested(r.state(), name)
			return err == nil && why == "" && r.running(name)
		})
	}
	end()
	for i, name := range names {
		switch starts := r.count("provision", name); {
		case i >= 2 && (starts != 1 || r.running(name)):
			t.Errorf("%s was woken by mistake: %d starts", name, starts)
		case i < 2 && !strings.Contains(strings.Join(r.log(name).Events(), " "), "ready"):
			t.Errorf("%s has no agent: %q", name, r.log(name).Events())
		}
	}
	for _, name := range []string{"off", "draft"} {
		if r.count("stop", name) > 0 || r.count("provision", name) != 1 || !r.running(name) {
			t.Errorf("%s: %d stops, %d starts", name, r.count("stop", name), r.count("provision", name))
		}
	}
}
