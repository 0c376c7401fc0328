package prompt

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// plain takes the style out of a screen that was captured with it (capture-pane -e):
// CSI sequences, OSC strings (hyperlinks), and what else a terminal would obey.
func plain(screen string) string {
	if strings.IndexByte(screen, 0x1b) < 0 && strings.IndexByte(screen, '\r') < 0 {
		return screen
	}
	var b strings.Builder
	b.Grow(len(screen))
	for i := 0; i < len(screen); {
		switch c := screen[i]; {
		case c == '\r':
			i++
		case c != 0x1b:
			b.WriteByte(c)
			i++
		default:
			i += escape(screen[i:])
		}
	}
	return b.String()
}

// escape gives the length of the escape sequence that s begins with.
func escape(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 {
				return i
			}
		}
		return len(s)
	case ']', 'P', '_', '^', 'X':
		for i := 2; i < len(s); i++ {
			switch {
			case s[i] == '\a':
				return i + 1
			case s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\':
				return i + 2
			case s[i] == '\n':
				return i
			}
		}
		return len(s)
	case '(', ')', '#', ' ':
		return min(3, len(s))
	case '\n':
		return 1
	}
	return 2
}

// fold makes prompts comparable: NFC, every blank a plain space, none at the ends, no
// border (PRM-5). It allocates only where something changes.
func fold(s string) string {
	s = inner(s)
	if strings.IndexFunc(s, composable) >= 0 {
		s = norm.NFC.String(s)
	}
	for _, r := range s {
		if r != ' ' && space(r) {
			return strings.Map(func(r rune) rune {
				if space(r) {
					return ' '
				}
				return r
			}, s)
		}
	}
	return s
}

// composable tells the first characters that NFC can change: below are ASCII, Latin
// letters that are composed already, and nothing that combines. Asking norm itself
// allocates.
func composable(r rune) bool { return r >= 0x300 }

// configured gives a session's ready prompt, folded; empty if it has none of its own.
func configured(ready string) string {
	if ready = trim(ready); ready == "" || ready == "❯" {
		return ""
	}
	return fold(ready)
}

// findFolded is find for a configured prompt: it is compared after folding, with every
// row that could hold it.
func (c *Composer) findFolded(r *rows) (input, bool) {
	own := rows{n: r.n, first: r.first, lines: r.lines}
	for i := range r.n {
		row := r.row(i)
		if body := inner(row); body != "" {
			if f := fold(body); f != body {
				row = strings.Replace(row, body, f, 1)
			}
		}
		own.buf[maxRows-r.n+i] = row
	}
	return c.find(&own)
}
