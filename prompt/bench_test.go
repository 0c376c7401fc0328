package prompt

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// A screen as capture-pane -S -120 prints it at 200x50: 170 lines, and the line that
// decides is the last one.
func benchScreen(t testing.TB) string {
	t.Helper()
	b, err := os.ReadFile(ours + "/claude-2.1.332/217-idle-interrupted-after-ctrl-u-200x50.txt")
	if err != nil {
		t.Fatal(err)
	}
	var screen strings.Builder
	for i := range 120 {
		fmt.Fprintf(&screen, "  %d. Line number %d of a long answer that fills the scrollback, %s\n", i, i, strings.Repeat("word ", 20))
	}
	screen.Write(b)
	return screen.String()
}

// regexpRule is the straightforward way: each line, each pattern. Nothing here is made slow
// on purpose.
func regexpRule(screen string) Kind {
	kind := Unknown
	for line := range strings.Lines(screen) {
		line = strings.TrimRight(line, " \n")
		switch {
		case regexpBusy.MatchString(line):
			return Busy
		case regexpDialog.MatchString(line):
			return Dialog
		case regexpPrompt.MatchString(line):
			kind = Idle
		}
	}
	return kind
}

var (
	regexpBusy   = regexp.MustCompile(`esc to interrupt|\((\d+[hms] ?)+[·•]`)
	regexpDialog = regexp.MustCompile(`^[ │]*[❯›●] \d+\. |Esc to cancel$`)
	regexpPrompt = regexp.MustCompile(`^[❯›>][\x{a0} ]?$`)
)

func BenchmarkClassify170Lines(b *testing.B) {
	screen := benchScreen(b)
	o := Observation{Screen: screen, Title: "✳ Claude Code", Command: "claude", Width: 200, Height: 50}
	if v := Classify(o, Options{}); v.Kind != Idle {
		b.Fatal(v)
	}
	if k := regexpRule(screen); k != Idle {
		b.Fatal(k)
	}
	b.Run("classify", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Classify(o, Options{})
		}
	})
	b.Run("classify-unknown-agent", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Classify(Observation{Screen: screen}, Options{})
		}
	})
	b.Run("regexp-per-line", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			regexpRule(screen)
		}
	})
}

// Classifying allocates nothing, on any plain capture of ours.
func TestClassifyAllocatesNothing(t *testing.T) {
	nothing := Observation{Screen: strings.Repeat("a line of output that says nothing\n", 170)}
	if n := testing.AllocsPerRun(20, func() { Classify(nothing, Options{}) }); n != 0 {
		t.Errorf("nothing matches: %v allocations", n)
	}
	for _, c := range readIndex(t, ours) {
		if n := testing.AllocsPerRun(5, func() { Classify(c.Seen, Options{}) }); n != 0 {
			t.Errorf("%s: %v allocations", c.File, n)
		}
	}
}
