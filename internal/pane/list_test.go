package pane_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gastownhall/tmux-carrier/internal/pane"
	"github.com/gastownhall/tmux-carrier/internal/tmuxtest"
)

func TestMain(m *testing.M) { tmuxtest.Main(m) }

func TestWords(t *testing.T) {
	l := pane.List{
		{"send-keys", "-t", "x", ";", "go;", `a\;`, "a;b", "-"},
		pane.Say("it's"),
	}
	want := []string{
		"send-keys", "-t", "x", `\;`, `go\;`, `a\\;`, "a;b", "-", ";",
		"display-message", "-p", "-t", pane.Target, "it's",
	}
	if got := l.Words(); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if got, want := l.String(), `send-keys -t x ';' 'go;' 'a\;' 'a;b' - ; display-message -p -t '=main:.!PANE!' 'it'"'"'s'`; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for _, bad := range []string{"", "a\nb"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q went into a list", bad)
				}
			}()
			pane.List{{bad}}.Arg()
		}()
	}
}

// Both ways in which tmux reads a list give its words back as they are: as arguments of
// a client, and as a branch, also one inside a branch.
func TestTmuxReadsIt(t *testing.T) {
	p := tmuxtest.Start(t, tmuxtest.Options{Command: []string{"cat"}})
	words := []string{"plain", "go;", ";", "a;b", "it's", `"q"`, `back\slash`, `end\`, "$HOME", "~", "{ x }", "a b", "-x", "%1", "*", "❯\u00a0x", "#", "'", "''", `\;`}
	for _, w := range words {
		set := pane.List{{"set-option", "-t", "=main:", "@x", w}}
		for how, words := range map[string][]string{
			"as arguments": set.Words(),
			"in a branch":  {"if-shell", "-F", "1", set.String()},
			"in two":       {"if-shell", "-F", "1", pane.List{{"if-shell", "-F", "1", set.String()}}.String()},
		} {
			if strings.HasPrefix(w, "-") {
				continue // a value that looks like a flag stands behind --
			}
			p.Tmux(words...)
			if got := p.Format("#{@x}"); got != w {
				t.Errorf("%s: %q came as %q", how, w, got)
			}
		}
	}
}
