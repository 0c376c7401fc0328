package agent

import (
	"reflect"
	"testing"
)

func TestBlock(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, []string{"> "}},
		{"abcdefgh", 6, []string{"> abcd", "  efgh"}},
		{"a\n\nb", 6, []string{"> a", "  ", "  b"}},
		{"世界世", 6, []string{"> 世界", "  世"}},
		{"a世界", 5, []string{"> a世", "  界"}},
		{"e\u0301e\u0301", 4, []string{"> e\u0301e\u0301"}},
		{"a\tb", 10, []string{"> a    b"}},
		{"\x1b[31m\x00\x7f\u0085", 20, []string{"> ·[31m···"}},
		{"\xff\xfe", 20, []string{"> \ufffd"}},
		{"世", 1, []string{"> 世"}},
	} {
		if got := block("> ", c.text, c.width); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q in %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestFrameFit(t *testing.T) {
	f := frame{rows: []string{"a", "b", "c", "d"}, row: 2, col: 1}.fit(3)
	if !reflect.DeepEqual(f, frame{rows: []string{"b", "c", "d"}, row: 1, col: 1}) {
		t.Errorf("%+v", f)
	}
}
