package carrier

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sanitize makes a styled capture safe for a terminal: SGR sequences stay, every
// other escape sequence and control character goes. What a program in the pane
// printed, a hyperlink or a charset switch, does not reach the reader's terminal.
func sanitize(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for len(text) > 0 {
		if n, sgr := escape(text); n > 0 {
			if sgr {
				b.WriteString(text[:n])
			}
			text = text[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(text)
		if r == '\n' || r == '\t' || !unicode.Is(unicode.Cc, r) {
			b.WriteRune(r)
		}
		text = text[n:]
	}
	return b.String()
}

// escape measures the escape sequence that text begins with, 0 if none, and tells
// whether it is an SGR: ESC [ parameters m.
func escape(text string) (n int, sgr bool) {
	if len(text) < 2 || text[0] != 0x1b {
		return 0, false
	}
	switch text[1] {
	case '[':
		for i := 2; i < len(text); i++ {
			if c := text[i]; c >= 0x40 && c <= 0x7e {
				return i + 1, c == 'm' && strings.Trim(text[2:i], "0123456789;:") == ""
			} else if c < 0x20 {
				return i, false
			}
		}
		return len(text), false
	case ']', 'P', '_', '^', 'X': // strings, up to ST or BEL; none goes beyond its line
		for i := 2; i < len(text); i++ {
			switch {
			case text[i] == '\a':
				return i + 1, false
			case text[i] == '\n':
				return i, false
			case text[i] == 0x1b && i+1 < len(text) && text[i+1] == '\\':
				return i + 2, false
			}
		}
		return len(text), false
	case '(', ')', '*', '+', '#', ' ', '%':
		return min(3, len(text)), false
	default:
		return 2, false
	}
}
