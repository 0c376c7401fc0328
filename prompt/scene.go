package prompt

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// scene is a screen taken apart.
type scene struct {
	rows
	o       Observation
	profile *Profile
	in      input
	found   bool // the composer was
	above   int  // the first row above the composer that still belongs to the live region
	head    int  // the head of the last block; -1: not seen
}

// compose finds the composer, and how far up the live region reaches.
func (s *scene) compose(ready string) {
	c := &s.profile.Composer
	s.in, s.found = c.find(&s.rows)
	if ready = configured(ready); ready != "" && !(s.found && strings.HasPrefix(fold(s.row(s.in.row)), ready)) {
		own := *c
		own.Prompts = []string{ready}
		if len(own.Shapes) == 0 || own.Shapes[0] == Barred { // a bar has no prompt
			own.Shapes, own.Reach = Generic.Composer.Shapes, Generic.Composer.Reach
		}
		s.in, s.found = own.findFolded(&s.rows)
	}
	s.head = -1
	if !s.found {
		s.above = max(0, s.n-lowest)
		return
	}
	// What stands above belongs to the live region up to the head of the last block
	// of the transcript.
	s.above = s.in.top
	reach := s.profile.Near
	for i, seen := s.in.top-1, 0; i >= 0 && (s.head < 0 || seen < reach); i-- {
		if blank(s.row(i)) {
			continue
		}
		seen++
		s.above = i
		switch {
		case s.profile == Generic:
			// Nothing is known of its transcript: a few rows, whatever they are.
			if seen >= reach {
				return
			}
		case s.head < 0 && indent(s.row(i)) <= s.profile.Heads && !s.chrome(i):
			s.head = i
		}
	}
}

// lowest is how many rows of a screen without a composer are looked at.
const lowest = 40

// chrome tells a row above the composer that is no part of the transcript: what stands
// right on top of it, such as the directory in Copilot, and boxes.
func (s *scene) chrome(i int) bool {
	if i >= s.in.top-s.profile.OnTop {
		return true
	}
	r, n := utf8.DecodeRuneInString(trim(s.row(i)))
	switch r {
	case '╭', '│', '┃', '╰':
		return !slices.Contains(s.profile.Message, trim(s.row(i))[:n])
	}
	return false
}

// shellPrompt tells a last row that ends as shells' prompts do, below the composer. The
// shell in the foreground is no proof by itself: an agent that a script started has
// the script's shell for its group leader, and that is what tmux shows.
func (s *scene) shellPrompt() bool {
	if s.found && s.n-1 <= s.in.bottom {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(trim(s.row(s.n - 1)))
	return strings.ContainsRune("$#%>❯➜»λ", r)
}

// Where the cursor stands.
type where uint8

const (
	unplaced  where = iota // not known, or parked out of the way
	atHome                 // where the composer's text begins
	inText                 // in the composer, further on
	elsewhere              // on another row
)

func (s *scene) cursor() where {
	o := &s.o
	if !o.CursorKnown || !s.found || !s.profile.Composer.Cursor && s.profile != Generic || o.Width > 0 && o.CursorX >= o.Width {
		return unplaced
	}
	row := o.CursorY - s.first
	if o.Height > 0 {
		row += max(0, s.lines-o.Height)
	} else if s.lines > o.CursorY+1 && !o.Alternate {
		return unplaced
	}
	switch {
	case row < s.in.top || row > s.in.bottom:
		if s.profile == Generic {
			return unplaced
		}
		return elsewhere
	case row == s.in.row && o.CursorX <= s.in.home:
		return atHome
	}
	return inText
}

// placeholder tells the text that an agent draws in an empty composer. The cursor stands
// in front of it; behind it, somebody typed the same.
func (s *scene) placeholder(cursor where) bool {
	if cursor == inText {
		return false
	}
	for _, p := range s.profile.Composer.Placeholders {
		if strings.HasPrefix(s.in.text, p) {
			return true
		}
	}
	return s.profile == Generic && cursor == atHome
}

// low is the height below which no pane shows that its agent is idle: composer and footer
// take up to 7 rows (Gemini), and programs drop what does not fit.
const low = 8

// far is how many rows above the composer a busy sign can stand, with messages that wait
// their turn in between; the farthest that was measured stands 5 above (Qwen, Claude Code
// 1.0).
const far = 8

// cutAbove tells a screen that begins so close above the composer that the busy sign of an
// agent that draws it there can be out of sight: it scrolled away, or was not drawn.
func (s *scene) cutAbove() bool {
	if s.head >= 0 || s.in.top >= far {
		return false
	}
	above, below := false, false
	for i := range s.profile.Busy {
		above = above || s.profile.Busy[i].At == Above
		below = below || s.profile.Busy[i].At == Below
	}
	if s.o.Height > 0 && s.n >= s.o.Height {
		return above
	}
	// With rows to spare nothing is pushed out. Of some a screen ought to have more.
	return s.in.top < 4 && !below
}

// at is a verdict whose sign stands in a row.
func (s *scene) at(kind Kind, sign string, i int) Verdict {
	v := s.off(kind, sign)
	v.Line = s.row(i)
	v.LineNo = s.first + i + 1
	return v
}

// off is a verdict whose sign is not on the screen.
func (s *scene) off(kind Kind, sign string) Verdict {
	v := Verdict{Kind: kind, Agent: s.profile.Name, Sign: sign}
	if s.n > 0 {
		v.Live = s.text(s.above)
	}
	return v
}

func (s *scene) withText(v Verdict) Verdict {
	if s.found && s.in.text != "" && !s.placeholder(s.cursor()) {
		v.Text = s.in.text
	}
	return v
}
