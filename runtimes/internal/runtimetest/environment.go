package runtimetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gastownhall/tmux-carrier/rpp"
)

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
