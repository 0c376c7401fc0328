package prompt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// panes is the directory of the full set of captures, if it is at hand.
func panes() string {
	for _, dir := range []string{os.Getenv("TMUX_CARRIER_PANES"), "../../shared/panes", "../shared/panes"} {
		if dir == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "INDEX.tsv")); err == nil {
			return dir
		}
	}
	return ""
}

func TestScores(t *testing.T) {
	dir := panes()
	captures, err := ReadIndex(filepath.Join(dir, "INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	s := Rate(captures, false)
	var b strings.Builder
	s.Write(&b)
	t.Log("\n" + b.String())
	for _, m := range s.Misses {
		t.Logf("%s: %s: %v %q", m.Why, m.File, m.Verdict, m.Verdict.Line)
	}
}
