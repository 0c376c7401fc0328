package carrier

import (
	"strings"
	"testing"
	"unicode"
)

// CAR-6: of a styled capture only colours reach the reader's terminal.
func FuzzSanitize(f *testing.F) {
	for _, seed := range []string{
		"\x1b[1;31mred\x1b[0m", "\x1b]0;title\a", "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "\x1b[2J", "\x1b[>c", "\x1bP+q\x1b\\",
		"\x1b", "\x1b[", "\x1b]", "\x9b31m", "\u009b31m", "\x0e\x0f", "a\tb\nc", "\x1b[38:2::1:2:3m", "\x1b[?25l", "\x1b(B",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := sanitize(text)
		rest := got
		for {
			i := strings.IndexByte(rest, 0x1b)
			if i < 0 {
				break
			}
			j := strings.IndexByte(rest[i:], 'm')
			if j < 0 || !strings.HasPrefix(rest[i:], "\x1b[") || strings.Trim(rest[i+2:i+j], "0123456789;:") != "" {
				t.Fatalf("%q becomes %q", text, got)
			}
			rest = rest[:i] + rest[i+j+1:]
		}
		if i := strings.IndexFunc(rest, func(r rune) bool { return unicode.Is(unicode.Cc, r) && r != '\n' && r != '\t' }); i >= 0 {
			t.Fatalf("%q becomes %q", text, got)
		}
		if sanitize(got) != got {
			t.Fatalf("%q becomes %q, and then %q", text, got, sanitize(got))
		}
	})
}
