package nudge

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// NUD-1, NUD-3: what is prepared holds nothing that acts as a key, ends in no newline, and
// is prepared already.
func FuzzPrepare(f *testing.F) {
	for _, seed := range []string{"a\r\nb\r", "\x1b[201~x", "go;", "\u0085", "\x00", "\xff", " \n", "\ufeff", "é\u0301"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Prepare(text, ReplaceControls)
		if err != nil {
			return
		}
		bad := func(r rune) bool { return unicode.Is(unicode.Cc, r) && r != '\t' && r != '\n' }
		if !utf8.ValidString(got) || strings.ContainsFunc(got, bad) || strings.HasSuffix(got, "\n") || strings.TrimSpace(got) == "" {
			t.Errorf("%q is prepared as %q", text, got)
		}
		if again, err := Prepare(got, RefuseControls); err != nil || again != got {
			t.Errorf("%q prepared again is %q, %v", got, again, err)
		}
		var parts strings.Builder
		for rest := got; rest != ""; {
			part := nextPart(rest)
			if part == "" {
				t.Fatalf("no part of %q", rest)
			}
			parts.WriteString(part)
			rest = rest[len(part):]
		}
		if parts.String() != got {
			t.Errorf("the parts of %q are %q", got, parts.String())
		}
	})
}

// BOX-1: an answer cut anywhere never tells more than the whole one.
func FuzzSaid(f *testing.F) {
	f.Add("pane %0 12 ?\ntyped \nuntaken\nsubmitted 1\nready \ntitle x\ncommand c\nmode \nview 1 2 3 4 0 0 0 5\nscreen\nx\n", 30)
	f.Add("refused <%0><x\ncontended\n", 10)
	f.Fuzz(func(t *testing.T, output string, cut int) {
		whole := parse(output)
		if cut < 0 || cut > len(output) {
			return
		}
		part := parse(output[:cut])
		if part.typed && !whole.typed || part.enters > 0 && part.enters != whole.enters && whole.enters == 0 ||
			part.contended && !whole.contended || part.conflict && !whole.conflict || part.sent > whole.sent {
			t.Errorf("%q tells %+v, cut at %d %+v", output, whole, cut, part)
		}
	})
}

// CAR-1: a key name that passes is one character or a name that tmux knows.
func FuzzKeyName(f *testing.F) {
	for _, seed := range []string{"Enter", "C-M-x", "^", "^C", "S-Tab", "é", "--", "M-", "C-;"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, key string) {
		got, err := KeyName(key)
		if err == nil && (got == "" || !utf8.ValidString(got) || strings.ContainsFunc(got, unicode.IsControl) || len(got) > 32) {
			t.Errorf("%q is the key %q", key, got)
		}
	})
}
