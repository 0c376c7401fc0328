package prompt

import "strings"

// PlainRule is the rule of the state of the art, for comparison: idle if a line starts
// with the prompt anywhere in the capture, and neither `esc to interrupt` nor a
// timer like `(3s ·` stands anywhere in it.
func PlainRule(screen, ready string) bool {
	ready = fold(ready)
	seen := false
	for row := range strings.Lines(plain(screen)) {
		row = strings.TrimRight(row, "\n")
		if strings.Contains(row, "esc to interrupt") || timer(row) {
			return false
		}
		if f := fold(row); f == ready || strings.HasPrefix(f, ready+" ") {
			seen = true
		}
	}
	return seen
}

// timer tells `(3s ·` and `(1m 2s •` anywhere in a row.
func timer(row string) bool {
	for {
		i := strings.IndexByte(row, '(')
		if i < 0 {
			return false
		}
		row = row[i+1:]
		if j := clock(row); j > 0 && (strings.HasPrefix(row[j:], " ·") || strings.HasPrefix(row[j:], " •")) {
			return true
		}
	}
}
