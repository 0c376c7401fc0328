package prompt

import (
	"strings"
	"unicode/utf8"
)

// The shapes that signs are made of. Each looks at one row without style, borders
// and the space around it, and allocates nothing.

// hint tells a key hint, also when the row ends in an ellipsis within it: at 40
// columns Claude Code draws `esc to interru…`. Three letters are enough.
func hint(phrase string) func(string) bool {
	return func(row string) bool { return hasHint(row, phrase) }
}

func hasHint(row, phrase string) bool {
	if strings.Contains(row, phrase) {
		return true
	}
	rest, cut := strings.CutSuffix(row, "…")
	if !cut {
		return false
	}
	for n := len(phrase) - 1; n >= 3; n-- {
		if before, ok := strings.CutSuffix(rest, phrase[:n]); ok {
			return before == "" || strings.HasSuffix(before, " ") || strings.HasSuffix(before, "(")
		}
	}
	return false
}

// has tells a row that contains one of the phrases.
func has(phrases ...string) func(string) bool {
	return func(row string) bool {
		for _, p := range phrases {
			if strings.Contains(row, p) {
				return true
			}
		}
		return false
	}
}

// begins tells a row that begins with one of the phrases.
func begins(phrases ...string) func(string) bool {
	return func(row string) bool {
		for _, p := range phrases {
			if strings.HasPrefix(row, p) {
				return true
			}
		}
		return false
	}
}

// led tells a row that begins with one of the runes, a space after it, and text.
func led(runes string) func(string) bool {
	return func(row string) bool { _, ok := lead(row, runes); return ok }
}

func lead(row, runes string) (rest string, ok bool) {
	r, n := utf8.DecodeRuneInString(row)
	if n == 0 || !strings.ContainsRune(runes, r) {
		return "", false
	}
	rest = row[n:]
	t := trim(rest)
	return t, len(t) < len(rest) && t != ""
}

// spinning tells `✻ Word…` and `✻ Word… (3s · …)`: a star, words, an ellipsis, and
// then nothing or a parenthesis. The words change with every release.
func spinning(row string) bool {
	rest, ok := lead(row, spinners)
	if !ok {
		return false
	}
	i := strings.Index(rest, "…")
	if i <= 0 {
		return false
	}
	tail := trim(rest[i+len("…"):])
	return tail == "" || tail[0] == '(' || strings.HasPrefix(tail, "·")
}

// timed tells a parenthesis with a running clock: `(3s ·`, `(1m 2s •`, `(esc to
// cancel, 3s)`. It is the part of a busy sign that no transcript line has by chance.
func timed(row string) bool {
	for {
		i := strings.IndexByte(row, '(')
		if i < 0 {
			return false
		}
		row = row[i+1:]
		body := strings.TrimPrefix(strings.TrimPrefix(row, "esc to cancel, "), "esc to interrupt · ")
		if j := clock(body); j > 0 {
			switch tail := body[j:]; {
			case strings.HasPrefix(tail, " ·"), strings.HasPrefix(tail, " •"), len(body) < len(row), tail == "…":
				return true
			}
		}
	}
}

// clock gives the length of `3s`, `1m 2s`, `1h 2m 3s`; 0 is none.
func clock(s string) int {
	end := 0
	for i := 0; ; {
		d := i
		for d < len(s) && s[d] >= '0' && s[d] <= '9' {
			d++
		}
		if d == i || d == len(s) || !strings.ContainsRune("hms", rune(s[d])) {
			return end
		}
		end = d + 1
		if end == len(s) || s[end] != ' ' {
			return end
		}
		i = end + 1
	}
}

// option tells a menu's highlighted option: a mark, a number, a dot and text.
func option(row string) bool {
	rest, ok := lead(row, "❯›●>")
	return ok && numbered(rest)
}

// numbered tells `1. text` and `12) text`.
func numbered(row string) bool {
	i := 0
	for i < len(row) && row[i] >= '0' && row[i] <= '9' {
		i++
	}
	return i > 0 && i <= 3 && i+1 < len(row) && (row[i] == '.' || row[i] == ')') && row[i+1] == ' '
}

// all tells a row that has all the shapes.
func all(shapes ...func(string) bool) func(string) bool {
	return func(row string) bool {
		for _, s := range shapes {
			if !s(row) {
				return false
			}
		}
		return true
	}
}

// either tells a row that has one of the shapes.
func either(shapes ...func(string) bool) func(string) bool {
	return func(row string) bool {
		for _, s := range shapes {
			if s(row) {
				return true
			}
		}
		return false
	}
}

// keyed tells a footer that offers a key for something, such as `Esc to cancel` or
// `enter to select`, as a hint of its own: at the row's start, or after a separator.
func keyed(hints ...string) func(string) bool {
	return func(row string) bool {
		for _, h := range hints {
			for from := 0; ; {
				i := foldIndex(row[from:], h)
				if i < 0 {
					break
				}
				i += from
				if i == 0 || separated(row[:i]) {
					return true
				}
				from = i + len(h)
			}
		}
		return false
	}
}

// separated tells whether the text ends in what stands between two key hints.
func separated(before string) bool {
	t := trim(before)
	if t == "" {
		return true
	}
	for _, s := range [...]string{"·", "•", "|", ",", "(", " or", "Press"} {
		if strings.HasSuffix(t, s) {
			return true
		}
	}
	return len(before)-len(t) >= 2
}

// foldIndex is strings.Index without the case of ASCII letters; sub is lower case.
func foldIndex(s, sub string) int {
	for i := 0; i+len(sub) <= len(s); i++ {
		if s[i]|0x20 != sub[0]|0x20 {
			continue
		}
		j := 0
		for j < len(sub) && (s[i+j] == sub[j] || 'A' <= s[i+j] && s[i+j] <= 'Z' && s[i+j]|0x20 == sub[j]) {
			j++
		}
		if j == len(sub) {
			return i
		}
	}
	return -1
}

// shells are the programs that a pane shows when its agent has ended.
var shells = []string{"bash", "sh", "zsh", "fish", "dash", "ash", "ksh", "mksh", "tcsh", "csh", "busybox", "nu"}

func isShell(command string) bool {
	command = strings.TrimPrefix(command, "-")
	for _, s := range shells {
		if command == s {
			return true
		}
	}
	return false
}
