package prompt

import (
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// widths is explicit: runewidth's default asks the locale, and a box has none.
var widths = runewidth.Condition{StrictEmojiNeutral: true}

// input is a composer that was found on a screen. Rows count from the top of rows.
type input struct {
	top    int    // its upper border, or its first row
	row    int    // where the text begins
	bottom int    // its lower border, or its last row
	home   int    // the column of the text's first character
	text   string // the first text in it; empty: none
	mode   string // the glyph of another mode, such as a shell's; empty: messages are typed
}

// find looks for the composer from below: an older one may stand in the transcript.
func (c *Composer) find(r *rows) (input, bool) {
	for _, shape := range c.Shapes {
		var in input
		var ok bool
		switch shape {
		case Ruled:
			in, ok = c.ruled(r)
		case Boxed:
			in, ok = c.boxed(r)
		case Barred:
			in, ok = c.barred(r)
		case Inset:
			in, ok = c.inset(r)
		case Bare:
			in, ok = c.bare(r)
		case Loose:
			in, ok = c.loose(r)
		}
		if ok {
			return in, true
		}
	}
	return input{}, false
}

func (c *Composer) reach() int {
	if c.Reach > 0 {
		return c.Reach
	}
	return 16
}

// prompted reads a row that may begin with a prompt.
func (c *Composer) prompted(row string, body string) (in input, ok bool) {
	text, prompt, ok := after(body, c.Prompts)
	if !ok {
		if text, prompt, ok = after(body, c.Modes); !ok {
			return in, false
		}
		in.mode = prompt
	}
	in.text = text
	before := row[:len(row)-len(body)]
	if i := strings.Index(row, body); i >= 0 {
		before = row[:i]
	}
	in.home = columns(before) + columns(prompt) + 1
	return in, true
}

// columns is how wide a text is drawn.
func columns(s string) int {
	n := 0
	for _, r := range s {
		if r < utf8.RuneSelf {
			n++
		} else {
			n += widths.RuneWidth(r)
		}
	}
	return n
}

// more finds the text in the rows after the first one, if that has none.
func (in *input) more(r *rows, from, to int) {
	for i := from; i < to && in.text == ""; i++ {
		in.text = inner(r.row(i))
	}
}

func (c *Composer) ruled(r *rows) (input, bool) {
	for low, below := r.n-1, 0; low > 0 && below <= c.reach(); low-- {
		if blank(r.row(low)) {
			continue
		}
		if !isRule(r.row(low)) {
			below++
			continue
		}
		for up := low - 2; up >= 0 && low-up <= 64; up-- {
			if !isRule(r.row(up)) {
				continue
			}
			row := r.row(up + 1)
			if d := indent(row) - indent(r.row(up)); d < 0 || d > 2 {
				break
			}
			in, ok := c.prompted(row, trim(row))
			if !ok {
				break
			}
			in.top, in.row, in.bottom = up, up+1, low
			in.more(r, up+2, low)
			return in, true
		}
		below++
	}
	return input{}, false
}

func (c *Composer) boxed(r *rows) (input, bool) {
	for low, below := r.n-1, 0; low > 1 && below <= c.reach(); low-- {
		row := trim(r.row(low))
		if row == "" {
			continue
		}
		if !strings.HasPrefix(row, "╰") || !strings.HasSuffix(row, "╯") {
			below++
			continue
		}
		for up := low - 1; up >= 0; up-- {
			if !strings.HasPrefix(trim(r.row(up)), "╭") {
				continue
			}
			row := r.row(up + 1)
			in, ok := c.prompted(row, inner(row))
			if !ok {
				return input{}, false
			}
			in.top, in.row, in.bottom = up, up+1, low
			in.more(r, up+2, low)
			return in, true
		}
		return input{}, false
	}
	return input{}, false
}

func (c *Composer) barred(r *rows) (input, bool) {
	for low, below := r.n-1, 0; low > 2 && below <= c.reach(); low-- {
		row := trim(r.row(low))
		if row == "" {
			continue
		}
		if !strings.HasPrefix(row, "╹▀") {
			below++
			continue
		}
		// The row above the lower border names the model; the text is above that.
		in := input{top: low, row: low - 1, bottom: low, home: indent(r.row(low)) + 3}
		for up := low - 2; up >= 0; up-- {
			row := trim(r.row(up))
			body, ok := strings.CutPrefix(row, "┃")
			if !ok || strings.HasSuffix(body, "┃") {
				break
			}
			in.top = up
			if body = trim(body); body != "" {
				in.text, in.row = body, up
			} else if in.text == "" {
				in.row = up
			}
		}
		if in.top == low {
			return input{}, false
		}
		if in.text == "" {
			in.row = min(in.top+1, low-1)
		}
		return in, true
	}
	return input{}, false
}

func (c *Composer) inset(r *rows) (input, bool) {
	for i, below := r.n-1, 0; i > 0 && below <= c.reach(); i-- {
		row := r.row(i)
		if blank(row) {
			continue
		}
		if indent(row) == 1 {
			if in, ok := c.prompted(row, trim(row)); ok {
				for up := i - 1; up >= 0 && i-up <= 4; up-- {
					if isRule(r.row(up)) {
						in.top, in.row, in.bottom = up, i, i
						for in.bottom+1 < r.n && indent(r.row(in.bottom+1)) >= 3 && !blank(r.row(in.bottom+1)) {
							in.bottom++
						}
						in.more(r, i+1, in.bottom+1)
						return in, true
					}
				}
			}
		}
		below++
	}
	return input{}, false
}

func (c *Composer) bare(r *rows) (input, bool) {
	for i, below := r.n-1, 0; i >= 0 && below <= c.reach(); i-- {
		row := r.row(i)
		if blank(row) {
			continue
		}
		if indent(row) == 0 {
			if in, ok := c.prompted(row, trim(row)); ok {
				in.top, in.row, in.bottom = i, i, i
				for in.bottom+1 < r.n && indent(r.row(in.bottom+1)) >= 2 && !blank(r.row(in.bottom+1)) {
					in.bottom++
				}
				in.more(r, i+1, in.bottom+1)
				return in, true
			}
		}
		below++
	}
	return input{}, false
}

func (c *Composer) loose(r *rows) (input, bool) {
	for i, below := r.n-1, 0; i >= 0 && below <= c.reach(); i-- {
		row := r.row(i)
		if blank(row) {
			continue
		}
		if in, ok := c.prompted(row, inner(row)); ok {
			in.top, in.row, in.bottom = i, i, i
			return in, true
		}
		below++
	}
	return input{}, false
}
