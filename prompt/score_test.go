package prompt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ours is the project's own part of the captures; all is the full set, if it is at hand.
const ours = "testdata/panes"

func fullSet(t testing.TB) string {
	t.Helper()
	for _, dir := range []string{os.Getenv("TMUX_CARRIER_PANES"), "../../shared/panes"} {
		if dir == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "INDEX.tsv")); err == nil {
			return dir
		}
	}
	return ""
}

// sets gives the directories of captures to test on, and says when the full one is not
// there.
func sets(t testing.TB) []string {
	t.Helper()
	if dir := fullSet(t); dir != "" {
		t.Logf("the full set of captures is at hand, and is used too")
		return []string{ours, dir}
	}
	t.Logf("the full set of captures is not at hand (TMUX_CARRIER_PANES names it): only testdata is used")
	return []string{ours}
}

func readIndex(t testing.TB, dir string) []Capture {
	t.Helper()
	captures, err := ReadIndex(filepath.Join(dir, "INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	return captures
}

// cannot are the captures that nothing on the screen, in the title or of the cursor tells
// apart from others of another truth.
var cannot = map[string]string{
	"gemini-0.61.0/12-starting-4-120x40.txt":                         "the same as 13-idle-first-prompt, byte for byte, title and cursor too",
	"qwen-0.1.4/12-starting-4-120x40.txt":                            "its home screen; the same as when idle",
	"copilot-1.0.102/18-idle-draft-120x40.txt":                       "the draft is not drawn",
	"copilot-1.0.102/64-idle-draft-says-esc-to-interrupt-120x40.txt": "the draft is not drawn",
	"opencode-1.18.33/103-fresh-login-after-enter-80x24.txt":         "a blank screen",
	"gemini-0.61.0/105-trust-dialog-80x24.txt":                       "a blank screen",
}

// PRM-2, PRM-3: no capture of a busy, asking, starting or dead agent is idle, under 2 % of
// the idle ones are missed, drafts are told apart, dialogs have a name.
func TestScores(t *testing.T) {
	for _, dir := range sets(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			s := Rate(readIndex(t, dir), false)
			var table strings.Builder
			if err := s.Write(&table); err != nil {
				t.Fatal(err)
			}
			t.Log("\n" + table.String())
			missed := 0
			for _, m := range s.Misses {
				switch why, known := cannot[m.File]; {
				case m.Twin != "":
					t.Logf("%s: %s: the same in all as %s, which is idle", m.Why, m.File, m.Twin)
				case known:
					t.Logf("%s: %s: %s", m.Why, m.File, why)
				case m.Why == "missed idle":
					missed++
					t.Logf("%s: %s: %v", m.Why, m.File, m.Verdict)
				default:
					t.Errorf("%s: %s: %v\n%s", m.Why, m.File, m.Verdict, m.Verdict.Line)
				}
			}
			if total := s.Total(); missed*50 >= total.Idle {
				t.Errorf("%d of %d idle screens missed, want under 2 %%", missed, total.Idle)
			}
		})
	}
}

// The verdict does not hang on what may not be known: without title, cursor, command and
// flags nothing becomes idle that is not, and only Codex is unknown.
func TestScoresOfBareScreens(t *testing.T) {
	for _, dir := range sets(t) {
		for _, c := range readIndex(t, dir) {
			v := Classify(Observation{Screen: c.Seen.Screen}, Options{})
			switch {
			case v.Kind == Idle && c.Truth != Idle && cannot[c.File] == "":
				t.Errorf("%s is %v: %v", c.File, c.Truth, v)
			case v.Kind == Idle && c.Agent == "codex":
				t.Errorf("%s without its title: %v", c.File, v)
			case c.Truth == Idle && c.Agent == "codex" && v.Kind == Unknown && v.Missing != "title":
				t.Errorf("%s: %v does not say what is missing", c.File, v)
			}
		}
	}
}

// Every agent is found by what it draws, without its name.
func TestFind(t *testing.T) {
	for _, dir := range sets(t) {
		for _, c := range readIndex(t, dir) {
			if v := Classify(c.Seen, Options{}); v.Kind == Idle && v.Agent != c.Agent {
				t.Errorf("%s: taken for %s", c.File, v.Agent)
			}
		}
	}
}

// A named agent, its own prompt configured, scores the same.
func TestScoresWithConfiguredPrompt(t *testing.T) {
	for _, c := range readIndex(t, ours) {
		want := Classify(c.Seen, Options{})
		for _, ready := range []string{plainPrompt(c), plainPrompt(c) + " ", plainPrompt(c) + "\u00a0"} {
			got := Classify(c.Seen, Options{Agent: c.Agent, ReadyPrompt: ready})
			if (got.Kind == Idle) != (want.Kind == Idle) && c.Agent != "opencode" {
				t.Errorf("%s with prompt %q: %v, without: %v", c.File, ready, got, want)
			}
		}
		if got := Classify(c.Seen, Options{ReadyPrompt: "nobody's prompt>"}); got.Kind == Idle {
			t.Errorf("%s is idle though the configured prompt is not there: %v", c.File, got)
		}
	}
}
