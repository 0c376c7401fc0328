package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// hostileTexts lose something on the way elsewhere (NUD-1).
var hostileTexts = []string{
	"go;", ";", `\;`, "a; b;;", "-n", "--", "'", `"`, `it's "quoted"`, "''''", `back\slash\\`, "#{pane_id}",
	"#(touch x)", "$(touch x)", "`touch x`", "$HOME ${HOME}", "a\tb", "\ttab first", "漢字かな交じり", "👩‍👩‍👧‍👦 family 🇩🇪",
	"e\u0301 combining", "nbsp\u00a0here", "Enter", "C-c", "%s %d %%", "*?[a-z]", "~root", "! x && y || z", "{ } [ ] < >",
	"\u200bzero width\u200d", "שלום עולם", "café\u2028sep", "  two spaces around  ",
}

// hostile NAME PART sends every second text, from the first (PART 0) or the second (1)
// on, through `tmux-carrier nudge`, alone and as first and last line of a longer text;
// the agent must have taken exactly what was sent.
func hostile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hostile name 0|1")
	}
	part, err := strconv.Atoi(args[1])
	ts.Check(err)
	var want []string
	for i, text := range hostileTexts {
		if i%2 == part {
			want = append(want, text, text+"\nbetween\n"+text)
		}
	}
	for i, text := range want {
		ts.Check(ts.Exec("tmux-carrier", "nudge", args[0], "--", text))
		wait(ts, args[0], fmt.Sprintf("message %d: %q", i, text), func() bool { return len(log(ts, args[0]).Submitted()) > i })
	}
	if got := log(ts, args[0]).Submitted(); !slices.Equal(got, want) {
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				ts.Fatalf("message %d of %d: sent %q, the agent took %q", i, len(got), want[i], got[min(i, len(got)-1)])
			}
		}
		ts.Fatalf("sent %d, the agent took %d", len(want), len(got))
	}
}

// bytes N TEXT FILE makes a file of N bytes by repeating the text.
func manyBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: bytes n text file")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.Repeat(text, n/len(text)+1)[:n]), 0o600))
}
