package prompt

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Row is the score of one agent in one version.
type Row struct {
	Agent, Version string

	Files     int
	Active    int // those whose truth is busy, dialog, starting or dead
	FalseIdle int // of Active: called idle. It must be 0
	Idle      int // those whose truth is idle
	Missed    int // of Idle: called neither idle nor draft
	Drafts    int // of Idle: the state says that a draft stood there
	Told      int // of Drafts: called draft
	Dialogs   int // those whose truth is dialog
	Named     int // of Dialogs: called dialog, with a name

	PlainFalseIdle, PlainMissed int // the same by PlainRule
}

// Miss is one capture that was judged wrong in a way that counts.
type Miss struct {
	Capture
	Verdict Verdict
	Why     string // "false idle", "missed idle", "draft not told", "dialog not named"
	Twin    string // with "false idle": a file of the index that is the same in all, and idle
}

// Score is the result over an index.
type Score struct {
	Rows   []Row
	Misses []Miss
}

// Rate classifies every capture and counts, by agent and version. The agent is named
// to Classify only if named is true: by default it is found, as it must be in a pane.
func Rate(captures []Capture, named bool) Score {
	var s Score
	idle := map[Observation]string{}
	for _, c := range captures {
		if c.Truth == Idle {
			idle[c.Seen] = c.File
		}
	}
	for _, c := range captures {
		var opts Options
		if named {
			opts.Agent = c.Agent
		}
		v := Classify(c.Seen, opts)
		r := s.row(c.Agent, c.Version)
		r.Files++
		plain := PlainRule(c.Seen.Screen, plainPrompt(c))
		miss := func(why string) { s.Misses = append(s.Misses, Miss{Capture: c, Verdict: v, Why: why}) }
		if c.Truth != Idle {
			r.Active++
			if v.Kind == Idle {
				r.FalseIdle++
				miss("false idle")
				s.Misses[len(s.Misses)-1].Twin = idle[c.Seen]
			}
			if plain {
				r.PlainFalseIdle++
			}
			if c.Truth == Dialog {
				r.Dialogs++
				if v.Kind == Dialog && v.Dialog != "" {
					r.Named++
				} else {
					miss("dialog not named")
				}
			}
			continue
		}
		r.Idle++
		if v.Kind != Idle && v.Kind != Draft {
			r.Missed++
			miss("missed idle")
		}
		if !plain {
			r.PlainMissed++
		}
		if hasDraft(c) {
			r.Drafts++
			if v.Kind == Draft {
				r.Told++
			} else {
				miss("draft not told")
			}
		}
	}
	slices.SortFunc(s.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Version, b.Version))
	})
	return s
}

func (s *Score) row(agent, version string) *Row {
	for i := range s.Rows {
		if s.Rows[i].Agent == agent && s.Rows[i].Version == version {
			return &s.Rows[i]
		}
	}
	s.Rows = append(s.Rows, Row{Agent: agent, Version: version})
	return &s.Rows[len(s.Rows)-1]
}

// hasDraft tells whether the state says that a draft stood in the composer. After a C-c
// it stands there no more.
func hasDraft(c Capture) bool {
	return strings.Contains(c.State, "draft") && !strings.Contains(c.State, "ctrl-c")
}

// plainPrompt is the prompt that a user of the plain rule configures for an agent.
func plainPrompt(c Capture) string {
	switch p := Lookup(c.Agent); {
	case p == nil || len(p.Composer.Prompts) == 0:
		return DefaultReadyPrompt
	case p == &claude && c.Version < "2.1":
		return ">"
	default:
		return p.Composer.Prompts[0]
	}
}

// Total adds all rows up.
func (s Score) Total() Row {
	t := Row{Agent: "all"}
	for _, r := range s.Rows {
		t.Files += r.Files
		t.Active += r.Active
		t.FalseIdle += r.FalseIdle
		t.Idle += r.Idle
		t.Missed += r.Missed
		t.Drafts += r.Drafts
		t.Told += r.Told
		t.Dialogs += r.Dialogs
		t.Named += r.Named
		t.PlainFalseIdle += r.PlainFalseIdle
		t.PlainMissed += r.PlainMissed
	}
	return t
}

// Write prints the score as a table.
func (s Score) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "agent\tversion\tfiles\tfalse idle\tmissed idle\tdrafts told\tdialogs named\tplain rule: false idle\tmissed idle")
	for _, r := range append(slices.Clone(s.Rows), s.Total()) {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d of %d\t%d of %d\t%d of %d\t%d of %d\t%d of %d\t%d of %d\n", r.Agent, r.Version, r.Files,
			r.FalseIdle, r.Active, r.Missed, r.Idle, r.Told, r.Drafts, r.Named, r.Dialogs, r.PlainFalseIdle, r.Active, r.PlainMissed, r.Idle)
	}
	return t.Flush()
}
