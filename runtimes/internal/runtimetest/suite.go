package runtimetest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/gastownhall/tmux-carrier/rpp"
)

// Suite runs every test, each with a rig of its own.
func Suite(t *testing.T, rig func(t *testing.T) *Rig) {
	for name, test := range map[string]func(*testing.T, *Rig){
		"life":           life,
		"environment":    environment,
		"warm box":       warmBox,
		"dead agent":     deadAgent,
		"ended at once":  endedAtOnce,
		"root process":   rootProcess,
		"setup":          setup,
		"metadata":       metadata,
		"processes":      processes,
		"attachment":     attachment,
		"driving":        driving,
		"nudge waits":    nudgeWaits,
		"copies":         copies,
		"watch":          watch,
		"absent session": absentSession,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, rig(t))
		})
	}
}

// RUN-5, RPP-8, RPP-12: a start, a second start, exec with its exit codes, the list,
// a stop and another.
func life(t *testing.T, r *Rig) {
	r.MustStart(t, "one", rpp.StartConfig{Command: "sleep 1000"})
	if !r.Running(t, "one") {
		t.Error("started, and is-running says false")
	}
	again := r.Start(t, "one", rpp.StartConfig{Command: "sleep 1000"})
	if again.Code == 0 || !strings.Contains(again.Err, "already exists") {
		t.Errorf("a second start: exit %d, %q", again.Code, again.Err)
	}
	for _, code := range []int{0, 1, 2, 75, 127, 255} {
		if got := r.Run(t, "exit "+itoa(code), "exec", "one"); got.Code != code {
			t.Errorf("exec of exit %d: exit %d", code, got.Code)
		}
	}
	if got := r.Exec(t, "one", "pwd; echo err >&2"); got != r.Work+"\nerr\n" {
		t.Errorf("exec: %q, in %s", got, r.Work)
	}
	long := strings.Repeat("x", 200<<10)
	if got := r.Exec(t, "one", "printf %s '"+long+"'"); got != long {
		t.Errorf("a command of 200 KiB came back as %d bytes", len(got))
	}
	if got := r.Exec(t, "one", "sleep 1000 & echo done"); got != "done\n" {
		t.Errorf("exec that leaves a daemon: %q", got)
	}
	if got := r.Exec(t, "one", "tmux list-sessions -F '#{session_name}'"); got != "main\n" {
		t.Errorf("plain tmux in the box sees %q", got)
	}

	r.MustStart(t, "one-more", rpp.StartConfig{Command: "sleep 1000"})
	r.MustStart(t, "another", rpp.StartConfig{Command: "sleep 1000"})
	if got := r.Must(t, "", "list-running", "one"); got != "one\none-more\n" {
		t.Errorf("list-running one: %q", got)
	}
	if got := r.Must(t, "", "list-running", ""); got != "another\none\none-more\n" {
		t.Errorf("list-running: %q", got)
	}
	r.Must(t, "", "stop", "one")
	if r.Running(t, "one") || !r.Running(t, "one-more") {
		t.Error("stop one stopped the wrong one, or none")
	}
	r.Must(t, "", "stop", "one")
	r.MustStart(t, "one", rpp.StartConfig{Command: "sleep 1000"})
}

// RUN-3: values arrive byte for byte, an empty one is unset for the agent, for exec
// and in the tmux server's global environment, also where the box or tmux has one.
func environment(t *testing.T, r *Rig) {
	values := map[string]string{
		"GC_PLAIN":     "plain",
		"GC_LINES":     "two\nlines\n",
		"GC_SEMICOLON": "go;",
		"GC_COMMAND":   "$(touch owned) `touch owned` $HOME #{pid} #(touch owned)",
		"GC_QUOTES":    `it's "quoted" \ \\ \'`,
		"GC_UTF8":      "❯ 日本語 👩‍👩‍👧",
		"GC_DASH":      "-n",
		"GC_BLANKS":    "  two  blanks\tand a tab ",
		"GC_EQUALS":    "a=b=c",
		"GC_CONTROL":   "\x1b[201~\r\x7f",
		"GC_C1":        "\u0081\u0082\u0088", // bytes that dash uses for itself
	}
	unset := []string{"GC_EMPTY", "GC_CONTROLLER_TOKEN", "SHELL", "TERM_PROGRAM", "GC_OF_THE_RUNTIME"}
	r.Env = append(r.Env, "GC_OF_THE_RUNTIME=must not reach the agent")
	cfg := rpp.StartConfig{Command: "cat /proc/self/environ >environ.new; mv environ.new environ; sleep 1000", Env: map[string]string{}}
	for name, value := range values {
		cfg.Env[name] = value
	}
	for _, name := range unset {
		cfg.Env[name] = ""
	}
	r.MustStart(t, "env", cfg)
	check := func(who, environ string) {
		got := map[string]string{}
		for entry := range strings.SplitSeq(environ, "\x00") {
			name, value, _ := strings.Cut(entry, "=")
			got[name] = value
		}
		for name, value := range values {
			if got[name] != value {
				t.Errorf("%s has %s as %q, want %q", who, name, got[name], value)
			}
		}
		for _, name := range unset {
			if value, ok := got[name]; ok {
				t.Errorf("%s has %s, which is to be unset, as %q", who, name, value)
			}
		}
	}
	check("the agent", r.WaitFile(t, "env", "environ"))
	check("exec", r.Exec(t, "env", "cat /proc/self/environ"))
	check("the server", r.Exec(t, "env", `cat "/proc/$(tmux display-message -p '#{pid}')/environ"`))
	for _, name := range unset {
		if got := r.Run(t, "tmux -u show-environment -g "+name, "exec", "env"); got.Code == 0 {
			t.Errorf("tmux's global environment: %q", got.Out)
		}
	}
	if got := r.Exec(t, "env", "tmux -u show-environment -g GC_UTF8"); got != "GC_UTF8="+values["GC_UTF8"]+"\n" {
		t.Errorf("tmux's global environment: %q", got)
	}
	if _, err := os.Stat(filepath.Join(r.Work, "owned")); err == nil {
		t.Error("a value was run as a command")
	}
}

// RUN-3, SES-2: provision leaves a box without an agent, which has the environment
// for the launch that comes over exec.
func warmBox(t *testing.T, r *Rig) {
	cfg := rpp.StartConfig{Command: "must not run", Env: map[string]string{"GC_SESSION_ID": "s1", "GC_A": "a b"}, SessionSetup: []string{"echo $GC_A >setup"}}
	if got := r.Provision(t, "warm", cfg); got != (Result{}) {
		t.Fatalf("provision: %+v", got)
	}
	if r.Running(t, "warm") {
		t.Error("a box without an agent is running")
	}
	if got := r.Must(t, "", "get-last-activity", "warm"); got != "" && got != "\n" {
		t.Errorf("activity of no agent: %q", got)
	}
	if got := r.WaitFile(t, "warm", "setup"); got != "a b\n" {
		t.Errorf("session_setup: %q", got)
	}
	if got := r.Must(t, "", "get-meta", "warm", "GC_SESSION_ID"); strings.TrimSuffix(got, "\n") != "s1" {
		t.Errorf("identity: %q", got)
	}
	r.Exec(t, "warm", `tmux new-session -d -s main 'printf %s "$GC_A" >launched; sleep 1000'`)
	if !r.Running(t, "warm") {
		t.Error("launched, and not running")
	}
	r.Wait(t, "warm", "the launch's environment", func() bool {
		data, _ := os.ReadFile(filepath.Join(r.Work, "launched"))
		return string(data) == "a b"
	})
	for _, op := range []string{"provision", "start"} {
		if got := r.Run(t, "{}", op, "warm"); got.Code == 0 || !strings.Contains(got.Err, "already exists") {
			t.Errorf("%s of a live session: %+v", op, got)
		}
	}
	r.Exec(t, "warm", "tmux kill-session -t =main")
	if r.Running(t, "warm") {
		t.Error("killed, and running")
	}
	if got := r.Exec(t, "warm", "echo $GC_A"); got != "a b\n" {
		t.Errorf("exec in a box without an agent: %q", got)
	}
}

// RUN-5: an agent that has ended is not running, its last screen can be read, and
// the next start takes its place.
func deadAgent(t *testing.T, r *Rig) {
	r.MustStart(t, "dead", rpp.StartConfig{
		Command: "trap '' HUP; (sleep 1000 &) ; while [ ! -e end ]; do sleep 0.1; done; echo last words; exit 3",
		Env:     map[string]string{"GC_SESSION_ID": "first"},
	})
	if !r.Running(t, "dead") {
		t.Fatal("not running")
	}
	if err := os.WriteFile(filepath.Join(r.Work, "end"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r.Wait(t, "dead", "the end of the agent", func() bool { return !r.Running(t, "dead") })
	if got := r.Must(t, "", "peek", "dead", "1"); !strings.Contains(got, "last words") {
		t.Errorf("its screen: %q", got)
	}
	if got := r.Must(t, "", "list-running", ""); strings.TrimSpace(got) != "" {
		t.Errorf("list-running: %q", got)
	}
	for _, op := range [][]string{{"nudge", "dead"}, {"send-keys", "dead", "x"}, {"interrupt", "dead"}} {
		if got := r.Run(t, "hello", op...); got.Code != 1 {
			t.Errorf("%v: %+v", op, got)
		}
	}
	r.MustStart(t, "dead", rpp.StartConfig{Command: "sleep 1000"})
	if !r.Running(t, "dead") {
		t.Error("started over a dead one, and not running")
	}
	if got := r.Must(t, "", "get-meta", "dead", "GC_SESSION_ID"); got != "" {
		t.Errorf("the dead one's identity: %q", got)
	}
}

// SES-6: an agent that ended before start did is a failure, which says why, unless
// it is a one_shot.
func endedAtOnce(t *testing.T, r *Rig) {
	wait := []string{"while ! tmux list-panes -t =main: -F '#{pane_dead}' | grep -q 1; do sleep 0.1; done"}
	cfg := rpp.StartConfig{Command: "echo it already exists; exit 7", SessionSetup: wait}
	got := r.Start(t, "brief", cfg)
	if got.Code != 1 || !strings.Contains(got.Err, "status 7") || strings.Contains(got.Err, "already exists") {
		t.Errorf("exit %d: %q", got.Code, got.Err)
	}
	if got := r.Run(t, "true", "exec", "brief"); got.Code == 0 {
		t.Error("the box of a failed start is there")
	}
	cfg.Lifecycle = rpp.LifecycleOneShot
	cfg.ProcessNames = []string{"long-gone"}
	r.MustStart(t, "brief", cfg)
	if r.Running(t, "brief") {
		t.Error("ended, and running")
	}
}

// FEN-4 needs it: a simple command is the root process of its pane itself, and that
// pane is recorded (CAR-4). Any other command runs as it stands.
func rootProcess(t *testing.T, r *Rig) {
	for name, command := range map[string]string{
		"simple": "sleep 1000", "quoted": `sleep "1000"`, "slow": "  sleep   1000 ", "redirected": "sleep 1000 </dev/null",
	} {
		r.MustStart(t, name, rpp.StartConfig{Command: command})
		r.Wait(t, name, "sleep as root process", func() bool {
			return r.Exec(t, name, `cat "/proc/$(tmux display-message -p -t =main: '#{pane_pid}')/comm"`) == "sleep\n"
		})
	}
	if got := r.Exec(t, "simple", "tmux show-environment -t =main GC_AGENT_PANE"); got != "GC_AGENT_PANE=%0\n" {
		t.Errorf("recorded pane: %q", got)
	}
	for name, command := range map[string]string{
		"list":       "echo 1 >list; sleep 1000",
		"assignment": "X=1 sh -c 'echo $X >assignment; sleep 1000'",
		"builtin":    "cd / && echo 1 >\"$OLDPWD/builtin\" && sleep 1000",
		"loop":       "while true; do echo 1 >loop; sleep 1000; done",
		"lines":      "echo 1 >lines\nsleep 1000",
		"semicolon":  "echo 1 >semicolon; sleep 1000;",
		"hash":       "echo 1 >hash # a comment\nsleep 1000",
		"long":       "echo 1 >long; : " + strings.Repeat("x", 60<<10) + "; sleep 1000",
	} {
		r.MustStart(t, name, rpp.StartConfig{Command: command})
		r.Wait(t, name, name, func() bool {
			data, _ := os.ReadFile(filepath.Join(r.Work, name))
			return string(data) == "1\n"
		})
	}
}

// RUN-2: the steps run in the box, in order; one that fails is a warning, without
// its output.
func setup(t *testing.T, r *Rig) {
	host := t.TempDir()
	mustWrite(t, filepath.Join(host, "pack", "both"), "pack")
	mustWrite(t, filepath.Join(host, "pack", "sub", "pack"), "pack")
	mustWrite(t, filepath.Join(host, "overlay", "both"), "overlay")
	mustWrite(t, filepath.Join(host, "file"), "file")
	mustLink(t, "no/such/target", filepath.Join(host, "overlay", "link"))
	mustLink(t, "file", filepath.Join(host, "link"))
	mustWrite(t, filepath.Join(host, "setup.sh"), "echo script $GC_A >>order\nls both >>order")

	got := r.Start(t, "setup", rpp.StartConfig{
		Command:            "while [ ! -e live ]; do sleep 0.1; done; sleep 1000",
		Env:                map[string]string{"GC_A": "a"},
		PreStart:           []string{"ls both >>order 2>/dev/null || echo pre_start $GC_A >>order", "echo already exists; echo ALREADY RUNNING >&2; exit 3"},
		PackOverlayDirs:    []string{filepath.Join(host, "pack"), filepath.Join(host, "no-such-pack")},
		OverlayDir:         filepath.Join(host, "overlay"),
		CopyFiles:          []rpp.CopyFile{{Src: filepath.Join(host, "file"), RelDst: "a/b/file"}, {Src: filepath.Join(host, "link")}, {Src: host + "/file", RelDst: "../out"}},
		SessionSetup:       []string{"tmux has-session -t =main && echo session_setup >>order", "kill -9 $$"},
		SessionSetupScript: filepath.Join(host, "setup.sh"),
		SessionLive:        []string{"echo session_live >>order", "touch live"},
	})
	if got.Code != 0 || got.Out != "" {
		t.Fatalf("start: %+v", got)
	}
	for _, want := range []string{"pre_start[1]", "no-such-pack", "copy_files", "session_setup[1]"} {
		if strings.Count(got.Err, want) != 1 {
			t.Errorf("warnings lack %s:\n%s", want, got.Err)
		}
	}
	if strings.Count(got.Err, "\n") != 4 || strings.Contains(strings.ToLower(got.Err), "already") {
		t.Errorf("warnings:\n%s", got.Err)
	}
	if got := r.Exec(t, "setup", "cat order"); got != "pre_start a\nsession_setup\nscript a\nboth\nsession_live\n" {
		t.Errorf("order of the steps:\n%s", got)
	}
	if got := r.Exec(t, "setup", "cat both sub/pack a/b/file; readlink link"); got != "overlaypackfilefile" && got != "overlaypackfilefile\n" {
		t.Errorf("files: %q", got)
	}
	if _, err := os.Lstat(filepath.Join(filepath.Dir(r.Work), "out")); err == nil {
		t.Error("copy_files wrote above the work_dir")
	}
}

// SES-5, RPP-11: identity is there from the start and goes with the box; keys may
// be anybody's text.
func metadata(t *testing.T, r *Rig) {
	get := func(key string) string { return strings.TrimSuffix(r.Must(t, "", "get-meta", "meta", key), "\n") }
	r.MustStart(t, "meta", rpp.StartConfig{Command: "sleep 1000", Env: map[string]string{
		"GC_SESSION_ID": "id", "GC_INSTANCE_TOKEN": "token", "GC_RUNTIME_EPOCH": "7", "GC_OTHER": "x",
	}})
	for key, want := range map[string]string{"GC_SESSION_ID": "id", "GC_INSTANCE_TOKEN": "token", "GC_RUNTIME_EPOCH": "7", "GC_OTHER": ""} {
		if got := get(key); got != want {
			t.Errorf("get-meta %s: %q, want %q", key, got, want)
		}
	}
	for _, key := range []string{"plain", "../../escape", "a/b", "a b", "日本", strings.Repeat("k", 4000), "'; touch owned"} {
		r.Must(t, "value of "+key, "set-meta", "meta", key)
		if got := get(key); got != "value of "+key {
			t.Errorf("get-meta %q: %q", key, got)
		}
		r.Must(t, "", "remove-meta", "meta", key)
		if got := get(key); got != "" {
			t.Errorf("removed %q: %q", key, got)
		}
		r.Must(t, "", "remove-meta", "meta", key)
	}
	r.Must(t, "kept", "set-meta", "meta", "key")
	r.Must(t, "", "stop", "meta")
	if got := get("GC_SESSION_ID") + get("key"); got != "" {
		t.Errorf("after stop: %q", got)
	}
}

// RUN-2, RPP-11: process-alive looks at the agent's tree; process_names are waited
// for.
func processes(t *testing.T, r *Rig) {
	r.MustStart(t, "tree", rpp.StartConfig{
		Command:      "sh -c 'sleep 0.3; sh ./agent-script & wait'; true",
		PreStart:     []string{"printf 'sleep 1000\\necho\\n' >agent-script"},
		ProcessNames: []string{"no-such", "agent-script"},
	})
	for names, want := range map[string]string{
		"agent-script": "true", "sleep": "true", "no-such\nsleep": "true", "no-such": "false", "gent-script": "false", "tmux": "false", "": "true",
	} {
		if got := strings.TrimSpace(r.Must(t, names, "process-alive", "tree")); got != want {
			t.Errorf("process-alive %q: %s, want %s", names, got, want)
		}
	}
}

// RPP-10, RPP-14: attached as long as a client is; activity follows what the agent
// prints.
func attachment(t *testing.T, r *Rig) {
	r.MustStart(t, "att", rpp.StartConfig{Command: "while read -r line; do echo \"$line\"; done"})
	attached := func() bool { return strings.TrimSpace(r.Must(t, "", "is-attached", "att")) == "true" }
	if attached() {
		t.Error("attached from the start")
	}
	cmd := r.Command("attach", "att")
	cmd.SysProcAttr = nil
	cmd.Env = append(cmd.Env, "TERM=xterm")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = terminal.WriteTo(discard{}) }()
	r.Wait(t, "att", "attached", attached)
	detached := func() bool { return !attached() }
	if _, err := terminal.WriteString("\x02d"); err != nil { // C-b d: detach
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("attach: %v", err)
	}
	r.Wait(t, "att", "detached", detached)

	// A terminal that goes away leaves nobody attached behind.
	gone := r.Command("attach", "att")
	gone.SysProcAttr = nil
	gone.Env = append(gone.Env, "TERM=xterm")
	if terminal, err = pty.StartWithSize(gone, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	r.Wait(t, "att", "attached again", attached)
	terminal.Close()
	_ = gone.Wait()
	r.Wait(t, "att", "detached by the end of its terminal", detached)

	activity := func() time.Time {
		at, err := time.Parse(time.RFC3339, strings.TrimSpace(r.Must(t, "", "get-last-activity", "att")))
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	before := activity()
	r.Wait(t, "att", "a later activity", func() bool {
		r.Must(t, "", "send-keys", "att", "x", "Enter")
		return activity().After(before)
	})
}

// The dedicated operations, as a carrier without exec uses them (CAR-2): the demo
// agent's log is the judge.
func driving(t *testing.T, r *Rig) {
	r.MustStart(t, "drive", rpp.StartConfig{Command: r.Agent("--burst", "0s"), SessionSetup: []string{"tmux split-window -d; tmux split-window sleep 1000"}})
	r.Wait(t, "drive", "the agent is ready", func() bool { return slices.Contains(r.Log(t).Events(), "ready") })
	const text = "-first; 'quoted' $(no)\nsecond line;"
	r.Must(t, text, "nudge", "drive")
	r.Wait(t, "drive", "the message", func() bool { return slices.Equal(r.Log(t).Submitted(), []string{text}) })
	r.Must(t, "", "send-keys", "drive", "-x", ";", "y;", "Enter")
	r.Wait(t, "drive", "the keys", func() bool { return slices.Equal(r.Log(t).Submitted(), []string{text, "-x;y;"}) })
	if got := r.Must(t, "", "peek", "drive", "50"); !strings.Contains(got, "second line;") {
		t.Errorf("peek: %q", got)
	}
	r.Exec(t, "drive", "tmux copy-mode -t =main:.%0")
	r.Must(t, "", "send-keys", "drive", "z", "Enter")
	r.Wait(t, "drive", "keys in copy mode", func() bool { return slices.Equal(r.Log(t).Submitted(), []string{text, "-x;y;", "z"}) })
	r.Must(t, "", "interrupt", "drive")
	r.Wait(t, "drive", "C-c", func() bool { return strings.Contains(string(r.Log(t).Bytes()), "\x03") })
	r.Wait(t, "drive", "no history", func() bool { // the agent may still be drawing
		r.Must(t, "", "clear-scrollback", "drive")
		return r.Exec(t, "drive", "tmux display-message -p -t =main:.%0 '#{history_size}'") == "0\n"
	})
}

// SES-4: start returns at once, and its nudge is typed when the agent is ready:
// once, whole, and never into a dialog.
func nudgeWaits(t *testing.T, r *Rig) {
	const text = "-start; \"here\"\nand $(here)\t日本;"
	r.MustStart(t, "wait", rpp.StartConfig{Command: r.Agent("--start-delay", "1s", "--dialog-at-start"), Nudge: text})
	if got := r.Log(t).Submitted(); len(got) > 0 {
		t.Errorf("start waited until %q was typed", got)
	}
	r.Wait(t, "wait", "the dialog", func() bool { return strings.Contains(r.Must(t, "", "peek", "wait", "0"), "proceed?") })
	// A waiter that did not mind the dialog would have typed before its third look.
	time.Sleep(time.Second)
	if got := r.Log(t).Bytes(); len(got) > 0 {
		t.Fatalf("typed into a dialog: %q", got)
	}
	r.Must(t, "", "send-keys", "wait", "Escape")
	r.Wait(t, "wait", "the nudge", func() bool { return len(r.Log(t).Submitted()) > 0 })
	if got := r.Log(t).Submitted(); !slices.Equal(got, []string{text}) {
		t.Errorf("submitted: %q", got)
	}
}

// Copies stay below the work_dir, whatever links the agent has put there, and links
// stay links.
func copies(t *testing.T, r *Rig) {
	host := t.TempDir()
	mustWrite(t, filepath.Join(host, "tree", "sub", "file"), "content")
	mustLink(t, "/etc/passwd", filepath.Join(host, "tree", "link"))
	outside := t.TempDir()
	mustLink(t, outside, filepath.Join(r.Work, "escape"))
	mustWrite(t, filepath.Join(outside, "victim"), "untouched")
	mustLink(t, filepath.Join(outside, "victim"), filepath.Join(r.Work, "file"))
	r.MustStart(t, "copy", rpp.StartConfig{Command: "sleep 1000"})

	r.Must(t, "", "copy-to", "copy", filepath.Join(host, "tree"), "new/dir")
	if got := r.Exec(t, "copy", "cat new/dir/sub/file; readlink new/dir/link"); got != "content/etc/passwd\n" {
		t.Errorf("copied: %q", got)
	}
	// A link in the place of the file is replaced, not written through.
	r.Must(t, "", "copy-to", "copy", filepath.Join(host, "tree", "sub", "file"), "file")
	if got := r.Exec(t, "copy", "cat file"); got != "content" {
		t.Errorf("copied over a link: %q", got)
	}
	for _, dst := range []string{"../up", "a/../../up", "/abs", "escape/in"} {
		if got := r.Run(t, "", "copy-to", "copy", filepath.Join(host, "tree"), dst); got.Code != 1 {
			t.Errorf("copy-to %s: %+v", dst, got)
		}
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 1 {
		t.Errorf("something was copied out of the work_dir: %v", entries)
	}
	if data, _ := os.ReadFile(filepath.Join(outside, "victim")); string(data) != "untouched" {
		t.Errorf("written through a link: %q", data)
	}
	// Onto itself, and a directory that holds its own destination.
	r.Must(t, "", "copy-to", "copy", filepath.Join(r.Work, "new"), "new")
	r.Must(t, "", "copy-to", "copy", filepath.Dir(r.Work), "above")
	if got := r.Exec(t, "copy", "cat new/dir/sub/file"); got != "content" {
		t.Errorf("copied onto itself: %q", got)
	}
	if _, err := os.Lstat(filepath.Join(r.Work, "above", filepath.Base(r.Work))); err == nil {
		t.Error("a directory was copied into itself")
	}
}

// watch-startup streams screens as they change, until it is killed.
func watch(t *testing.T, r *Rig) {
	r.MustStart(t, "watch", rpp.StartConfig{Command: "while read -r line; do echo \"got $line\"; done"})
	cmd := r.Command("watch-startup", "watch")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	lines := newLines(out)
	if got := lines.next(t); !strings.HasPrefix(got, `{"content":`) {
		t.Errorf("first line: %s", got)
	}
	r.Must(t, "", "send-keys", "watch", "hello", "Enter")
	for !strings.Contains(lines.next(t), "got hello") {
	}
}

// RPP-10, RPP-11: what a session that does not exist answers.
func absentSession(t *testing.T, r *Rig) {
	for _, c := range []struct {
		args []string
		out  string
		code int
	}{
		{[]string{"is-running", "no"}, "false\n", 0},
		{[]string{"is-attached", "no"}, "false\n", 0},
		{[]string{"process-alive", "no"}, "false\n", 0},
		{[]string{"stop", "no"}, "", 0},
		{[]string{"nudge", "no"}, "", 0},
		{[]string{"interrupt", "no"}, "", 0},
		{[]string{"send-keys", "no", "x"}, "", 0},
		{[]string{"clear-scrollback", "no"}, "", 0},
		{[]string{"get-meta", "no", "key"}, "", 0},
		{[]string{"remove-meta", "no", "key"}, "", 0},
		{[]string{"list-running", ""}, "", 0},
		{[]string{"peek", "no", "0"}, "", 1},
		{[]string{"exec", "no"}, "", 1},
		{[]string{"attach", "no"}, "", 1},
		{[]string{"set-meta", "no", "key"}, "", 1},
		{[]string{"no-such-operation", "no"}, "", 2},
	} {
		got := r.Run(t, "text", c.args...)
		if strings.TrimSuffix(got.Out, "\n") != strings.TrimSuffix(c.out, "\n") || got.Code != c.code {
			t.Errorf("%v: exit %d, %q, %q; want exit %d, %q", c.args, got.Code, got.Out, got.Err, c.code, c.out)
		}
	}
}
