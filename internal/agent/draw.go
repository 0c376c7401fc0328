package agent

import (
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
)

// widths is explicit: the package's default asks the locale, and a container
// has none.
var widths = runewidth.Condition{StrictEmojiNeutral: true}

func rule(width int) string { return strings.Repeat("─", max(width, 1)) }

// printable makes one line of text safe to draw: whatever a terminal would
// obey becomes a visible sign.
func printable(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	return strings.Map(func(r rune) rune {
		if r != '\t' && unicode.IsControl(r) {
			return '·'
		}
		return r
	}, strings.ReplaceAll(s, "\t", "    "))
}

// wrap cuts text into drawable rows of at most width columns.
func wrap(text string, width int) []string {
	var rows []string
	for line := range strings.SplitSeq(text, "\n") {
		start, col := 0, 0
		line = printable(line)
		for i, r := range line {
			w := widths.RuneWidth(r)
			if col+w > width && i > start {
				rows = append(rows, line[start:i])
				start, col = i, 0
			}
			col += w
		}
		rows = append(rows, line[start:])
	}
	return rows
}

// block wraps text behind a prefix, and indents the rows after the first by as
// much.
func block(prefix, text string, width int) []string {
	indent := strings.Repeat(" ", widths.StringWidth(prefix))
	rows := wrap(text, max(width-len(indent), 1))
	for i := range rows {
		if i == 0 {
			rows[i] = prefix + rows[i]
		} else {
			rows[i] = indent + rows[i]
		}
	}
	return rows
}

func dim(s string) string { return "\x1b[2m" + s + "\x1b[22m" }

// A frame is the live region: what is drawn anew each time, below the
// transcript.
type frame struct {
	rows     []string
	row, col int // the cursor
}

// fit keeps the last rows of a frame that is higher than the screen.
func (f frame) fit(height int) frame {
	if cut := len(f.rows) - max(height, 1); cut > 0 {
		f.rows = f.rows[cut:]
		f.row = max(f.row-cut, 0)
	}
	return f
}
