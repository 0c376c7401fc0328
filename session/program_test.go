package session

import "testing"

// exec may stand in front of one simple command, and of nothing else.
func TestProgram(t *testing.T) {
	tests := map[string]string{
		"claude":                                 "claude",
		"claude --flag 'a; b' \"c && d\" e\\;f":  "claude",
		"./agent >log 2>err":                     "./agent",
		"env A=1 claude":                         "env",
		"claude 'it'\"'\"'s' $HOME":              "claude",
		"claude # no comment":                    "",
		"A=1 claude":                             "",
		"cd x && claude":                         "",
		"claude; echo done":                      "",
		"claude | tee log":                       "",
		"claude &":                               "",
		"(claude)":                               "",
		"claude $(id)":                           "",
		"claude \"`id`\"":                        "",
		"claude\nrm x":                           "",
		"'my agent'":                             "",
		"-flag":                                  "",
		"":                                       "",
		"claude '$(not run)'":                    "claude",
		"claude \"a 'quoted' one\" --then \"x\"": "claude",
	}
	for command, want := range tests {
		if got := program(command); got != want {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
}

// An answer that was cut anywhere never says more than the whole one.
func TestParseCut(t *testing.T) {
	whole := "launched %12 \nfence tok\nstored\npane %12 345 1 127\nscreen\nsh: not found\n"
	want := parse(whole)
	if want.fence != "tok" || want.pane != "%12" || want.pid != 345 || !want.dead || want.status != 127 || want.screen != "sh: not found\n" || !want.launched {
		t.Fatalf("%+v", want)
	}
	for n := range len(whole) {
		got := parse(whole[:n])
		if got.fence != "" && got.fence != want.fence || got.pane != "" && (got.pane != want.pane || got.pid != want.pid || got.status != want.status) {
			t.Errorf("cut at %d: %+v", n, got)
		}
	}
}

func TestLastWords(t *testing.T) {
	screen := "\n one \n\x1b[31mtwo\n\n3\n4\n5\n6\n\nPane is dead (status 1, now)\n"
	if got, want := lastWords(screen), "[31mtwo / 3 / 4 / 5 / 6"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
