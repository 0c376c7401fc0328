package prompt

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxRows is how far up a screen is looked at. The tallest pane that was measured
// has 50 rows; a multi-line draft can fill one.
const maxRows = 128

// rows are the lowest lines of the visible screen, top first, without the blank ones at
// the end, and above them the history that was captured with it: rows below 0. They
// live on the stack: a screen of 170 lines is classified without an allocation.
type rows struct {
	buf    [maxRows]string
	from   [maxRows]int // where each begins in screen
	screen string
	n      int // rows that count
	past   int // rows of the history above them
	first  int // line number of row 0 in the screen, from 0
	lines  int // lines of the screen, blank ones at the end included
}

// row gives the i-th row as captured; -1 is the lowest one of the history.
func (r *rows) row(i int) string { return r.buf[maxRows-r.n+i] }

// text is the screen from row i to the last one.
func (r *rows) text(i int) string {
	end := r.from[maxRows-1] + len(r.buf[maxRows-1])
	return r.screen[r.from[maxRows-r.n+i]:end]
}

// read takes a screen of so many rows; 0 is not known: then all of it counts. A program
// that draws at the bottom of the main screen leaves its old composers in the history,
// and a capture shows them above a dialog as if they were live.
func (r *rows) read(screen string, height int) {
	r.n, r.past, r.screen = 0, 0, screen
	r.lines = strings.Count(screen, "\n")
	if screen != "" && screen[len(screen)-1] != '\n' {
		r.lines++
	}
	screen = strings.TrimSuffix(screen, "\n")
	line, top := r.lines, 0
	if height > 0 {
		top = max(0, r.lines-height) // the blank rows at the end are rows of the pane
	}
	r.first = r.lines
	for line > 0 && r.n+r.past < maxRows {
		start := strings.LastIndexByte(screen, '\n') + 1
		row := screen[start:]
		line--
		switch {
		case line < top:
			r.past++
		case r.n > 0 || !blank(row):
			r.n++
			r.first = line
		}
		if at := r.n + r.past; at > 0 {
			r.buf[maxRows-at], r.from[maxRows-at] = row, start
		}
		if start == 0 {
			break
		}
		screen = screen[:start-1]
	}
}

// space tells every kind of blank: agents draw NBSP after their prompt, and tmux
// pads with plain spaces.
func space(r rune) bool { return r == '\u200b' || unicode.IsSpace(r) }

func blank(row string) bool { return strings.IndexFunc(row, notSpace) < 0 }

func notSpace(r rune) bool { return !space(r) }

// indent counts the blank columns in front.
func indent(row string) int {
	n := 0
	for _, r := range row {
		if !space(r) {
			return n
		}
		n++
	}
	return n
}

// trim takes the space around a row away, without the call that a function value
// costs per character on the common path.
func trim(row string) string {
	for row != "" && row[0] == ' ' {
		row = row[1:]
	}
	for row != "" && row[len(row)-1] == ' ' {
		row = row[:len(row)-1]
	}
	if row != "" && (row[0] >= utf8.RuneSelf || row[len(row)-1] >= utf8.RuneSelf || row[0] < ' ') {
		return strings.TrimFunc(row, space)
	}
	return row
}

const (
	sides    = "│┃║▏▎▍▌▋▊▉█▐▕▄▀┆┊"
	spinners = "✻✢✽✶✳✺✹✸·*∗⋆"
	rounds   = "○◎◉●◌◍◐◓◑◒⊙⊚"
)

// inner takes the space, one border at each side, and the space inside it away: what
// stands in a box, or beside a scrollbar.
func inner(row string) string {
	row = trim(row)
	if row == "" {
		return row
	}
	if len(row) > 3 && row[0] == '|' && row[1] == ' ' && strings.HasSuffix(row, " |") {
		return trim(row[1 : len(row)-1])
	}
	if r, n := utf8.DecodeRuneInString(row); r > 0x7f && strings.ContainsRune(sides, r) {
		row = row[n:]
	}
	if r, n := utf8.DecodeLastRuneInString(row); r > 0x7f && strings.ContainsRune(sides, r) {
		row = row[:len(row)-n]
	}
	return trim(row)
}

// isRule tells a horizontal rule: nothing but line-drawing from end to end. A rule
// with a gap is one that a menu hides a part of; a name may stand in it.
func isRule(row string) bool {
	row = trim(row)
	if len(row) < 3*8 || row[0] != 0xe2 {
		return false
	}
	lines, other, gap := 0, 0, 0
	last := rune(0)
	for _, r := range row {
		last = r
		switch r {
		case '─', '━', '═', '▀', '▔':
			lines++
			gap = 0
		case ' ':
			if gap++; gap > 2 {
				return false
			}
			other++
		default:
			gap = 0
			other++
		}
	}
	first, _ := utf8.DecodeRuneInString(row)
	return lines >= 8 && lines >= other && line(first) && line(last)
}

func line(r rune) bool {
	switch r {
	case '─', '━', '═', '▀', '▔':
		return true
	}
	return false
}

// after gives what follows one of the prompts at the start of a row, if a space, NBSP
// or the end of the row comes next (tmux trims the space at the end).
func after(row string, prompts []string) (text, prompt string, ok bool) {
	for _, p := range prompts {
		if p == "" || !strings.HasPrefix(row, p) {
			continue
		}
		rest := row[len(p):]
		if rest == "" {
			return "", p, true
		}
		if r, _ := utf8.DecodeRuneInString(rest); space(r) {
			return trim(rest), p, true
		}
	}
	return "", "", false
}

// braille tells a row that begins with one of the braille spinner's dots.
func braille(row string) bool {
	r, _ := utf8.DecodeRuneInString(row)
	return r > 0x2800 && r <= 0x28ff
}
