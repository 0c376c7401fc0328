package tmuxbox

import (
	"strings"
	"testing"
)

// CAR-4: the recorded pane; any of them otherwise; empty fields as tmux 3.8 has them.
func TestParseAgents(t *testing.T) {
	panes, recorded := parseAgents("PANE,%10,123,0,,100,99\nPANE,%9,,1,7,100,\nnoise\nGC_AGENT_PANE=%10\n")
	if len(panes) != 2 || recorded != "%10" {
		t.Fatalf("%+v %q", panes, recorded)
	}
	if a := panes[0]; a.Pane != "%10" || a.PID != 123 || a.Dead || a.Activity.Unix() != 100 || a.Client.Unix() != 99 {
		t.Errorf("%+v", a)
	}
	if a := panes[1]; a.Pane != "%9" || a.PID != 0 || !a.Dead || a.Status != "7" || !a.Client.IsZero() {
		t.Errorf("%+v", a)
	}
}

func TestSaysAbsent(t *testing.T) {
	for line, want := range map[string]bool{
		"can't find session: main":                                       true,
		"can't find pane: %7":                                            true,
		"no server running on /tmp/tmux-0/default":                       true,
		"error connecting to /tmp/x/default (No such file or directory)": true,
		"error connecting to /tmp/x/default (Connection refused)":        true,
		"error connecting to /tmp/x/default (Permission denied)":         false,
		"server exited unexpectedly":                                     false,
		"sh: 1: tmux: not found":                                         false,
		"":                                                               false,
	} {
		if got := saysAbsent(line); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

func TestLastLine(t *testing.T) {
	if got := lastLine("first\n  sh: 1: claude: not found  \n\nPane is dead (status 127, now)\n\n"); got != "sh: 1: claude: not found" {
		t.Errorf("%q", got)
	}
	if got := firstLine("a\x1b]0;x\a" + strings.Repeat("b", 300)); strings.ContainsAny(got, "\x1b\a") || len(got) > 220 {
		t.Errorf("%q", got)
	}
}

// RPP-11: how a process may be called.
func TestNamed(t *testing.T) {
	all := parseProcesses("10\t1\tsh\tsh\t-c\n11\t10\tnode\tnode\t/opt/bin/gemini\n12\t11\ta-very-long-nam\t/x/a-very-long-name\t\n13\t1\tother\tother\t\nbad\n")
	tree := descendants(all, 10)
	if len(tree) != 3 {
		t.Fatalf("%+v", tree)
	}
	for name, want := range map[string]bool{"gemini": true, "node": true, "a-very-long-name": true, "other": false, "gem": false, "/opt/bin/gemini": true} {
		got := false
		for _, p := range tree {
			got = got || p.named(name)
		}
		if got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
