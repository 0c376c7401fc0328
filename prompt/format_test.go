package prompt

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestDialogFormatOnCaptures(t *testing.T) {
	captures, err := ReadIndex(filepath.Join(panes(), "INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	servers := map[[2]int]*screenTmux{}
	for _, c := range captures {
		size := [2]int{c.Seen.Width, c.Seen.Height}
		s := servers[size]
		if s == nil {
			s = newScreenTmux(t, size[0], size[1])
			servers[size] = s
		}
		got := s.show(c.Seen.Screen, c.Seen.Title, DialogFormat()+"|"+AgentFormat()+"|"+SettledFormat(""))
		f := strings.Split(got, "|")
		v := Classify(c.Seen, Options{})
		if c.Truth == Dialog && f[0] == "" || c.Truth != Dialog && f[0] != "" {
			t.Errorf("%s: %v: DialogFormat %q", c.File, c.Truth, f[0])
		}
		if c.Truth == Dialog {
			t.Logf("%s %q %q", c.File, f[0], v.Dialog)
		}
		if f[1] != c.Agent {
			t.Logf("%s agent %q", c.File, f[1])
		}
		if c.Truth == Idle && (f[2] != "1") != (v.Kind == Draft) {
			t.Logf("%s settled %q %v", c.File, f[2], v)
		}
	}
}
