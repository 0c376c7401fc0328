package session

import "testing"

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
