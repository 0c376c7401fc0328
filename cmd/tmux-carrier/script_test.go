package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gastownhall/tmux-carrier/internal/engine"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/runtimes/docker"
	"github.com/gastownhall/tmux-carrier/runtimes/local"
)

// The test binary is the program, and the runtimes beside it.
func TestMain(m *testing.M) {
	// A scenario mostly waits: for a settle time, a turn, a screen. The command line
	// may say otherwise.
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){
		"tmux-carrier":      main,
		"gc-session-tmux":   func() { rpp.Main(local.Runtime()) },
		"gc-session-docker": func() { rpp.Main(docker.Runtime(docker.FromEnv())) },
		"ctrl-c":            ctrlC,
		"on-terminal":       onTerminal,
	})
}

// A place is where the scenarios run: a runtime, and what it needs.
type place struct {
	runtime string // its executable
	agent   string // the demo agent's command in its boxes
	env     []string
}

// Each scenario of testscripts runs unchanged on this machine's tmux and in containers
// with others. Those of testscripts/scripted bring their own runtime, and run once.
func TestScripts(t *testing.T) {
	here := place{runtime: "gc-session-tmux", agent: "tmux-carrier demo-agent"}
	t.Run("scripted", func(t *testing.T) { scenarios(t, here, "scripted") })
	t.Run("local", func(t *testing.T) { scenarios(t, here, "") })
	suites := []string{"bookworm", "trixie"}
	version, _ := exec.Command("tmux", "-V").Output()
	switch {
	case os.Getenv("MATRIX") == "all":
		suites = append(suites, "bullseye", "sid")
	case strings.TrimSpace(string(version)) == "tmux 3.3a":
		// The container of the other suite has another tmux and is a container too.
		t.Log("bookworm's tmux is this machine's: its container is left to MATRIX=all")
		suites = suites[1:]
	}
	for _, suite := range suites {
		t.Run(suite, func(t *testing.T) {
			image := engine.Box(t, suite)
			scenarios(t, place{"gc-session-docker", "demo-agent", []string{"GC_SESSION_DOCKER_IMAGE=" + image}}, "")
		})
	}
}

func scenarios(t *testing.T, where place, kind string) {
	t.Parallel()
	// testscript leaves its own directory when -run chooses among the scenarios.
	root, err := os.MkdirTemp("", "ts-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	testscript.Run(t, testscript.Params{
		WorkdirRoot:         root,
		Dir:                 filepath.Join("..", "..", "testscripts", kind),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               where.setup,
		Cmds:                commands,
	})
}

// setup gives a scenario its own state directory, the runtime as GC_SESSION and as
// $RUNTIME, and the demo agent's command as $AGENT. Whatever it leaves running is
// ended, and what cannot be ended fails it.
func (w place) setup(env *testscript.Env) error {
	state := filepath.Join(env.WorkDir, ".state")
	env.Setenv("GC_EXEC_STATE_DIR", state)
	env.Setenv("RUNTIME", w.runtime)
	env.Setenv("GC_SESSION", "exec:"+w.runtime)
	env.Setenv("AGENT", w.agent)
	env.Setenv("DOCKER_HOST", os.Getenv("DOCKER_HOST"))
	env.Setenv("GORACE", "atexit_sleep_ms=0") // else -race makes each process 1 s longer
	env.Vars = append(env.Vars, w.env...)
	// The agent in a container is another user; its work_dir is this directory.
	if err := os.Chmod(env.WorkDir, 0o777); err != nil {
		return err
	}
	scripts, err := filepath.Glob(filepath.Join(env.WorkDir, "*.sh"))
	if err != nil {
		return err
	}
	for _, script := range scripts { // txtar knows no modes
		if err := os.Chmod(script, 0o755); err != nil {
			return err
		}
	}
	vars := env.Vars
	env.Defer(func() { w.cleanUp(env.T(), vars, state) })
	return nil
}

// cleanUp stops every session that has state, and looks for processes that are left.
func (w place) cleanUp(t testscript.T, vars []string, state string) {
	boxes, _ := filepath.Glob(filepath.Join(state, "gc-session-*", "*"))
	boxes = slices.DeleteFunc(boxes, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || !info.IsDir()
	})
	stop := func() error {
		var failures []error
		for _, box := range boxes {
			failures = append(failures, w.stop(vars, filepath.Base(box)))
		}
		return errors.Join(failures...)
	}
	err := stop()
	left := processes(filepath.Dir(state))
	var commands []string
	for _, pid := range left {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		commands = append(commands, strings.ReplaceAll(string(line), "\x00", " "))
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	if err != nil { // whatever stood in the way is gone now
		err = errors.Join(err, stop())
	}
	if err != nil || len(left) > 0 {
		t.Log(fmt.Sprintf("clean up: %v; processes that were left: %q", err, commands))
		t.FailNow()
	}
}

func (w place) stop(vars []string, name string) error {
	path, err := exec.LookPath(w.runtime)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	runtime := &rpp.Provider{Command: []string{path}, Env: append(os.Environ(), vars...)}
	_, err = runtime.Stop(ctx, name)
	return err
}

// processes are those whose environment names the scenario's directory. One that ends
// is given time to.
func processes(dir string) []int {
	mark := []byte("WORK=" + dir + "\x00")
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		var pids []int
		environs, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, path := range environs {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if env, err := os.ReadFile(path); err == nil && bytes.Contains(env, mark) {
				pids = append(pids, pid)
			}
		}
		if len(pids) == 0 || time.Now().After(end) {
			return pids
		}
	}
}

// ctrlC is the command `ctrl-c FILE COMMAND...` of the scenarios: it runs the command,
// interrupts it as soon as FILE (a pattern) is there, and ends as it did. That it comes back soon
// is part of the promise (3 s; the limit here leaves a loaded machine some more).
func ctrlC() {
	const limit = 6 * time.Second
	file, argv := os.Args[1], os.Args[2:]
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(99)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if found, _ := filepath.Glob(file); len(found) > 0 {
			break
		}
		if time.Now().After(end) {
			fmt.Fprintf(os.Stderr, "ctrl-c: %s never came\n", file)
			_ = cmd.Process.Kill()
			os.Exit(99)
		}
	}
	began := time.Now()
	_ = cmd.Process.Signal(os.Interrupt)
	select {
	case <-ended:
		fmt.Fprintf(os.Stderr, "back after %v\n", time.Since(began).Round(time.Millisecond))
		os.Exit(cmd.ProcessState.ExitCode())
	case <-time.After(limit):
		fmt.Fprintf(os.Stderr, "ctrl-c: not back after %v\n", limit)
		_ = cmd.Process.Kill()
		os.Exit(99)
	}
}

// onTerminal is the command `on-terminal COMMAND...`: it runs the command on a terminal
// of its own.
func onTerminal() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Env = append(os.Environ(), "TERM=xterm")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(99)
	}
	_, _ = io.Copy(os.Stdout, terminal) // until its end
	_ = cmd.Wait()
	os.Exit(cmd.ProcessState.ExitCode())
}
