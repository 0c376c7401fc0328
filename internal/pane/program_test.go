package pane

import "testing"

// FEN-4: the commands that exec may stand in front of, by their first word.
func TestProgram(t *testing.T) {
	for command, want := range map[string]string{
		"claude": "claude", "claude --resume 'a; b' \"c & d\"": "claude", " ./agent  x ": "./agent",
		"/usr/bin/env X=1 claude": "/usr/bin/env", "claude >log 2>/dev/null": "claude", `echo a\;b`: "echo",
		"node 'it''s' \"$HOME\" *.js {a,b}": "node", "claude 'two\nlines'": "claude",

		"": "", "X=1 claude": "", "claude; true": "", "claude &": "", "a && b": "", "a | b": "", "(a)": "",
		"claude\nb": "", "claude # why": "", "claude $(b)": "", "claude `b`": "", "claude \"$(b)\"": "",
		"'claude' x": "", "$AGENT x": "", "-x": "", "~/claude": "", "claude \"a\\\"; b\" ; c": "", "claude\tx": "",
		"claude 'it'\"'\"'s' $HOME": "claude", "claude '$(not run)'": "claude", "env A=1 claude": "env", "cd x && claude": "",
	} {
		if got := Program(command); got != want {
			t.Errorf("program(%q) = %q, want %q", command, got, want)
		}
	}
}
