package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gastownhall/tmux-carrier/internal/agent"
	"github.com/gastownhall/tmux-carrier/rpp"
)

// commands are what the scenarios know beside testscript's own.
var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"exits":     exits,
	"agent":     startAgent,
	"shows":     shows,
	"event":     event,
	"submitted": submitted,
	"untouched": untouched,
	"tmux":      tmux,
	"box":       inTheBox,
	"format":    format,
	"json":      jsonKeys,
	"empty":     empty,
	"hostile":   hostile,
	"bytes":     manyBytes,
}

// patience is how long a scenario waits for something: many times what a loaded
// machine needs.
const patience = 30 * time.Second

// exits CODE COMMAND... runs the command, which must exit with the code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	err = ts.Exec(args[1], args[2:]...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// agent NAME [FLAG...] starts a session with the demo agent, whose log is NAME.log,
// and waits until it is ready. Its token is in $NAME_TOKEN and alone on standard output.
func startAgent(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: agent name [flag...]")
	}
	name, dir := args[0], ts.MkAbs(".")
	argv := append([]string{"start", name, "--work-dir", dir, "--"}, strings.Fields(ts.Getenv("AGENT"))...)
	argv = append(argv, "--log", ts.MkAbs(name+".log"))
	ts.Check(ts.Exec("tmux-carrier", append(argv, args[1:]...)...))
	ts.Setenv(name+"_TOKEN", strings.TrimSpace(ts.ReadFile("stdout")))
	wait(ts, name, "the agent is ready", func() bool { return slices.Contains(log(ts, name).Events(), "ready") })
}

// event NAME PREFIX waits for an event of the agent's log.
func event(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] event name prefix")
	}
	seen := func() bool { return log(ts, args[0]).Count(args[1]) > 0 }
	if neg {
		if seen() {
			ts.Fatalf("there was an event %s", args[1])
		}
		return
	}
	wait(ts, args[0], "event "+args[1], seen)
}

// submitted NAME MESSAGE... waits until the agent has taken exactly these messages. One
// that starts with @ names a file. Backslash escapes are those of Go.
func submitted(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: submitted name message...")
	}
	want := make([]string, 0, len(args))
	for _, m := range args[1:] {
		if file, ok := strings.CutPrefix(m, "@"); ok {
			m = strings.TrimRight(ts.ReadFile(file), "\n")
		} else if u, err := strconv.Unquote(`"` + m + `"`); err == nil {
			m = u
		}
		want = append(want, m)
	}
	wait(ts, args[0], fmt.Sprintf("%d messages", len(want)), func() bool { return len(log(ts, args[0]).Submitted()) >= len(want) })
	if got := log(ts, args[0]).Submitted(); !slices.Equal(got, want) {
		ts.Fatalf("the agent took\n%q\nwant\n%q", got, want)
	}
}

// untouched NAME: the agent read nothing at all.
func untouched(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: [!] untouched name")
	}
	if b := log(ts, args[0]).Bytes(); (len(b) == 0) == neg {
		ts.Fatalf("the agent read %q", b)
	}
}

// shows NAME TEXT waits until the screen shows the text.
func shows(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: shows name text")
	}
	wait(ts, args[0], "the screen shows "+args[1], func() bool { return strings.Contains(screen(ts, args[0]), args[1]) })
}

// tmux NAME ARG... runs plain tmux in the box of the session; what it prints is
// standard output.
func tmux(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: [!] tmux name command...")
	}
	inTheBox(ts, neg, append([]string{args[0], "tmux", "-u"}, args[1:]...))
}

// box NAME COMMAND... runs the command in the box of the session.
func inTheBox(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: [!] box name command...")
	}
	out, code := inBox(ts, args[0], args[1:]...)
	_, err := ts.Stdout().Write(out)
	ts.Check(err)
	if (code != 0) != neg {
		ts.Fatalf("%q ended with %d: %s", args[1:], code, out)
	}
}

// format NAME FORMAT VALUE waits until tmux expands the format to the value.
func format(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: format name format value")
	}
	wait(ts, args[0], args[1]+" is "+args[2], func() bool {
		out, _ := inBox(ts, args[0], "tmux", "-u", "display-message", "-p", "-t", "=main:", args[1])
		return strings.TrimSpace(string(out)) == args[2]
	})
}

// json KEY... : each line of standard output is an object of exactly these keys.
func jsonKeys(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: json key...")
	}
	lines := strings.Split(strings.TrimSuffix(ts.ReadFile("stdout"), "\n"), "\n")
	for _, line := range lines {
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			ts.Fatalf("%q: %v", line, err)
		}
		for _, key := range args {
			if _, ok := object[key]; !ok {
				ts.Fatalf("%s: no key %s", line, key)
			}
		}
		if len(object) != len(args) {
			ts.Fatalf("%s: keys besides %s", line, args)
		}
	}
}

// empty DIR: nothing is in the directory.
func empty(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: empty dir")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(entries) > 0 {
		ts.Fatalf("%s holds %v", args[0], entries)
	}
}

// provider is the scenario's runtime, the plain one: not a wrapper that it tests.
func provider(ts *testscript.TestScript) *rpp.Provider {
	path, err := exec.LookPath(ts.Getenv("RUNTIME"))
	ts.Check(err)
	env := os.Environ()
	for _, name := range []string{"GC_EXEC_STATE_DIR", "HOME", "TMPDIR"} {
		env = append(env, name+"="+ts.Getenv(name))
	}
	return &rpp.Provider{Command: []string{path}, Env: env}
}

func inBox(ts *testscript.TestScript, name string, argv ...string) (output []byte, code int) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	output, code, err := provider(ts).Exec(ctx, name, argv)
	ts.Check(err)
	return output, code
}

func screen(ts *testscript.TestScript, name string) string {
	out, _ := inBox(ts, name, "tmux", "-u", "capture-pane", "-p", "-t", "=main:")
	return string(out)
}

// log is the agent's log. That of an agent of another user is read in its box.
func log(ts *testscript.TestScript, name string) agent.Log {
	path := ts.MkAbs(name + ".log")
	log, err := agent.ReadLog(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, fs.ErrPermission):
		text, _ := inBox(ts, name, "cat", path)
		copied := filepath.Join(ts.MkAbs("."), ".log-"+name)
		ts.Check(os.WriteFile(copied, text, 0o600))
		log, err = agent.ReadLog(copied)
	}
	ts.Check(err)
	return log
}

// wait waits until ok; when it gives up it shows the screen and the end of the log.
func wait(ts *testscript.TestScript, name, what string, ok func() bool) {
	for end := time.Now().Add(patience); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			text, _ := os.ReadFile(ts.MkAbs(name + ".log"))
			ts.Fatalf("gave up waiting: %s\n--- screen\n%s\n--- log\n%s", what, screen(ts, name), text[max(0, len(text)-3000):])
		}
	}
}
