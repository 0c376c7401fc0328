package agent

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"
)

// keepRows bounds the transcript that is kept for the alternate screen and
// for a resize.
const keepRows = 1000

// A terminal draws frames below a transcript: on the main screen the
// transcript scrolls away into the history, on the alternate screen only its
// end is visible.
type terminal struct {
	out           *os.File
	alternate     bool
	width, height int
	transcript    []string // the last keepRows rows
	fresh         []string // rows of it that are not on the main screen yet
	cursor        int      // the row of the live region that the cursor is in
	title         string   // as last set
}

// measure asks for the size; a terminal without one counts as 80x24.
func (t *terminal) measure() {
	t.width, t.height = 80, 24
	if w, h, err := term.GetSize(int(t.out.Fd())); err == nil && w > 0 && h > 0 {
		t.width, t.height = w, h
	}
}

func (t *terminal) open(brackets bool) {
	var s string
	if t.alternate {
		s = "\x1b[?1049h\x1b[H"
	}
	if brackets {
		s += "\x1b[?2004h"
	}
	fmt.Fprint(t.out, s)
}

func (t *terminal) close() {
	s := "\x1b[?2004l\x1b[?7h\x1b[?25h"
	if t.alternate {
		s += "\x1b[?1049l"
	} else {
		s += "\r\x1b[J"
	}
	fmt.Fprint(t.out, s)
}

func (t *terminal) print(rows ...string) {
	t.fresh = append(t.fresh, rows...)
	t.transcript = append(t.transcript, rows...)
	if cut := len(t.transcript) - keepRows; cut > 0 {
		t.transcript = slices.Delete(t.transcript, 0, cut)
	}
}

// resized makes the next draw start from an empty screen: tmux reflows the old
// one, and where its rows went is anyone's guess.
func (t *terminal) resized() {
	t.measure()
	fmt.Fprint(t.out, "\x1b[2J\x1b[H")
	t.cursor = 0
	t.fresh = slices.Clone(t.transcript[max(0, len(t.transcript)-t.height):])
}

func (t *terminal) setTitle(title string) {
	if title != t.title {
		t.title = title
		fmt.Fprintf(t.out, "\x1b]0;%s\x07", printable(title))
	}
}

// draw writes a frame in one write, wrapping off meanwhile: a character whose
// width we and the terminal disagree about must not move the rows below it.
func (t *terminal) draw(f frame) {
	f = f.fit(t.height - 1)
	var b strings.Builder
	b.WriteString("\x1b[?25l\x1b[?7l\r")
	if t.alternate {
		b.WriteString("\x1b[H")
		space := t.height - len(f.rows)
		tail := t.transcript[max(0, len(t.transcript)-space):]
		for _, row := range tail {
			b.WriteString("\x1b[K" + row + "\r\n")
		}
		b.WriteString(strings.Repeat("\x1b[K\r\n", space-len(tail)))
	} else {
		if t.cursor > 0 {
			fmt.Fprintf(&b, "\x1b[%dA", t.cursor)
		}
		b.WriteString("\x1b[J")
		for _, row := range t.fresh {
			b.WriteString(row + "\r\n")
		}
	}
	t.fresh = nil
	// Erase before the row: behind a full row the cursor stands ON its last
	// column, and would erase it.
	b.WriteString("\x1b[K" + strings.Join(f.rows, "\r\n\x1b[K") + "\r")
	if up := len(f.rows) - 1 - f.row; up > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", up)
	}
	if f.col > 0 {
		fmt.Fprintf(&b, "\x1b[%dC", min(f.col, t.width-1))
	}
	b.WriteString("\x1b[?7h\x1b[?25h")
	t.cursor = f.row
	_, _ = t.out.WriteString(b.String()) // a lost terminal shows in the next read
}
