package prompt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestParseNotes(t *testing.T) {
	for _, c := range []struct {
		notes string
		want  Observation
	}{
		{"", Observation{}},
		{"typed but unsubmitted text", Observation{}},
		{"dead=0 status= cmd=claude alt=1 hist=0 cur=2,37 curflag=0 title=✳ Claude Code mode=0", Observation{Command: "claude", Alternate: true, CursorX: 2, CursorY: 37, CursorKnown: true, Title: "✳ Claude Code"}},
		{"check | title=◇  Ready (work)        alt=0 cur=3,22", Observation{Title: "◇  Ready (work)", CursorX: 3, CursorY: 22, CursorKnown: true}},
		{"a | title=[ . ] Action Required | SC=toolecho | work alt=1 cur=120,39", Observation{Title: "[ . ] Action Required | SC=toolecho | work", Alternate: true, CursorX: 120, CursorY: 39, CursorKnown: true}},
		{"dead=1 status=0 cmd=node alt=0 hist=1 cur=0,39 curflag=0 title= mode=0 | title= alt=0 cur=0,39", Observation{Dead: true, Command: "node", CursorY: 39, CursorKnown: true}},
		{"title=> SC=tool alt=1 cur=2,35", Observation{Title: "> SC=tool", Alternate: true, CursorX: 2, CursorY: 35, CursorKnown: true}},
		{"mode=copy-mode", Observation{Mode: "copy-mode"}},
		{"cur=x,y", Observation{}},
	} {
		if got := ParseNotes(c.notes); got != c.want {
			t.Errorf("%q:\n got %+v\nwant %+v", c.notes, got, c.want)
		}
	}
}

func TestReadIndexErrors(t *testing.T) {
	write := func(name, text string) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	for text, want := range map[string]string{
		"a.txt\tclaude\t1\n":                              "line 1: 3 columns",
		"file\tagent\nx\ty\tz\t80x24\tidle\tsleepy\tnote": `line 2: the truth "sleepy"`,
		"none.txt\ta\t1\t80x24\tidle\tidle\n":             "none.txt",
	} {
		if _, err := ReadIndex(write("INDEX.tsv", text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := ReadIndex(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("no error for a missing index")
	}
}

// Every profile is complete enough to drive its agent.
func TestProfiles(t *testing.T) {
	for _, p := range append(Profiles(), Generic) {
		if Lookup(p.Name) != p {
			t.Errorf("%s is not found by its name", p.Name)
		}
		if len(p.Submit) == 0 || len(p.Interrupt) == 0 || p.Settle.Base == 0 {
			t.Errorf("%s: keys or settle time missing", p.Name)
		}
		if len(p.Versions) == 0 && p != Generic {
			t.Errorf("%s: seen in no version", p.Name)
		}
		if strings.ContainsAny(p.Name, ",}# ") {
			t.Errorf("%q cannot stand in a format", p.Name)
		}
		for _, signs := range [][]Sign{p.Dialogs, p.Busy, p.Queued, p.Starting, p.Answered} {
			for _, s := range signs {
				if s.Name == "" || s.Match == nil {
					t.Errorf("%s: a sign without name or shape", p.Name)
				}
			}
		}
	}
	if Lookup("nobody") != nil {
		t.Error("nobody is found")
	}
	// C-c ends OpenCode and Cline.
	for _, name := range []string{"opencode", "cline", "codex", "claude"} {
		for _, key := range Lookup(name).Interrupt {
			if key != "Escape" {
				t.Errorf("%s is interrupted by %s", name, key)
			}
		}
	}
	if got := Lookup("gemini").Settle.For(1 << 20); got < 2*time.Second {
		t.Errorf("Gemini needs 2 s for 1 MiB, gets %v", got)
	}
}

func TestKindWords(t *testing.T) {
	for k := Unknown; k <= Dead; k++ {
		if got, ok := ParseKind(k.String()); got != k || !ok {
			t.Errorf("%v: %v %v", k, got, ok)
		}
	}
	if _, ok := ParseKind("sleepy"); ok {
		t.Error("sleepy is a kind")
	}
}
