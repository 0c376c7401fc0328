package sleep

import (
	"strings"
	"testing"
	"time"
)

// SLP-1
func TestCapabilityOf(t *testing.T) {
	for _, c := range []struct {
		declared   string
		want       Capability
		attachment bool
	}{
		{"report-activity report-attachment proc.exec", Full, true},
		{"proc.exec unheard-of report-attachment report-activity", Full, true},
		{"report-activity report-attachment", TimedOnly, true},
		{"report-activity proc.exec", TimedOnly, false},
		{"report-activity", TimedOnly, false},
		{"report-attachment proc.exec", Disabled, true},
		{"", Disabled, false},
	} {
		got, attachment := CapabilityOf(strings.Fields(c.declared))
		if got != c.want || attachment != c.attachment {
			t.Errorf("%q: %s, %v; want %s, %v", c.declared, got, attachment, c.want, c.attachment)
		}
	}
}

// SLP-1
func TestParseSetting(t *testing.T) {
	for in, want := range map[string]string{"off": "off", "0s": "0s", "90s": "1m30s", "0": "0s", "1h": "1h0m0s"} {
		s, err := ParseSetting(in, "here")
		if err != nil || s.String() != want || s.Source != "here" || s.Sleep == (in == "off") {
			t.Errorf("%q: %+v, %v", in, s, err)
		}
	}
	for _, in := range []string{"", " ", "10", "-1s", "never", "Off", "1 h"} {
		if s, err := ParseSetting(in, "here"); err == nil || !strings.Contains(err.Error(), "here") {
			t.Errorf("%q: %+v, %v; want an error that names its source", in, s, err)
		}
	}
}

const example = `
[session_sleep]
interactive_resume = "30m"
noninteractive = "0s"

[[group]]
name = "reviewers"
interactive_resume = "off"
noninteractive = "5m"

[[session]]
name = "ann"
class = "interactive_resume"

[[session]]
name = "bob"
class = "interactive_resume"
group = "reviewers"
sleep_after_idle = "10m"
[session.start]
command = "agent"

[[session]]
name = "eve"
class = "interactive_resume"
group = "reviewers"

[[session]]
name = "tom"
group = "reviewers"

[[session]]
name = "job"
class = "noninteractive"
`

// SLP-1: the nearest wins, and its source is kept.
func TestNearestWins(t *testing.T) {
	c, warnings, err := Parse([]byte(example))
	if err != nil || len(warnings) != 0 {
		t.Fatal(err, warnings)
	}
	for name, want := range map[string]string{
		"ann":      "interactive_resume 30m0s, session_sleep.interactive_resume",
		"bob":      "interactive_resume 10m0s, session.bob.sleep_after_idle",
		"eve":      "interactive_resume off, group.reviewers.interactive_resume",
		"tom":      "interactive_fresh off, default",
		"job":      "noninteractive 0s, session_sleep.noninteractive",
		"stranger": "interactive_fresh off, default",
	} {
		p := c.Policy(name, Full, true)
		if got := p.Fingerprint() + ", " + p.Setting.Source; got != want {
			t.Errorf("%s: %s; want %s", name, got, want)
		}
	}
	if c.Sessions[1].Start["command"] != "agent" {
		t.Errorf("start: %v", c.Sessions[1].Start)
	}
	for i, e := range c.Entries(Full, true) {
		if e.Name != c.Sessions[i].Name || e.Policy != c.Policy(e.Name, Full, true) {
			t.Errorf("entry %d: %+v", i, e)
		}
	}
	if d := Decide(Snapshot{Facts: Facts{Running: Yes}}); d.Action != Keep {
		t.Errorf("the zero policy: %+v", d)
	}
}

// SLP-1: unknown keys are warnings with their lines, all else is an error.
func TestParseWarnings(t *testing.T) {
	_, warnings, err := Parse([]byte(`[session_sleep]
noninteractive = "1m"
interactve_fresh = "1m"
[[session]]
name = "a"

sleep_after = "5m"
[elsewhere]
x = 1
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range warnings {
		got = append(got, w.String())
	}
	want := "line 3: unknown key session_sleep.interactve_fresh; line 7: unknown key session.sleep_after; line 8: unknown key elsewhere"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
}

// SLP-1
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"[session_sleep]\nnoninteractive = \"\"":                       "session_sleep.noninteractive: an empty string",
		"[[session]]\nname = \"a\"\nsleep_after_idle = \"\"":           "session.a.sleep_after_idle: an empty string",
		"[[group]]\nname = \"g\"\ninteractive_fresh = \"soon\"":        "group.g.interactive_fresh: \"soon\"",
		"[[session]]\nname = \"a\"\nclass = \"\"":                      "class \"\"",
		"[[session]]\nname = \"a\"\nclass = \"human\"":                 "class \"human\"",
		"[[session]]\nname = \"a\"\ngroup = \"nobody\"":                "no group \"nobody\"",
		"[[session]]\nname = \"a\"\n[[session]]\nname = \"a\"":         "given twice",
		"[[group]]\nname = \"a\"\n[[group]]\nname = \"a\"":             "given twice",
		"[[session]]\nclass = \"noninteractive\"":                      "session 1 has no name",
		"[[group]]\nnoninteractive = \"1m\"":                           "group 1 has no name",
		"\n[session_sleep]\nnoninteractive = 30":                       "line 3",
		"[session_sleep]\nnoninteractive = \"1m\"\n = 3":               "line 3",
		"[session_sleep]\nx = 1\ninteractive_fresh=\"-1s\"":            "negative",
		"[session_sleep]\nnoninteractive=\"\"\ninteractive_fresh=\"\"": "interactive_fresh: an empty",
	} {
		if _, _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte("[session_sleep]\nnoninteractive = \"\""))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, _, err := Parse(text)
		if err != nil {
			return
		}
		for _, e := range c.Entries(Full, true) {
			if e.Name == "" || e.Policy.Setting.After < 0 || e.Policy.Setting.Source == "" {
				t.Errorf("%+v", e)
			}
		}
	})
}

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
