package prompt

import (
	"strings"
	"unicode/utf8"
)

// Classify says what the screen shows. It allocates nothing for a plain screen of
// a known agent.
func Classify(o Observation, opts Options) Verdict {
	var s scene
	s.o = o
	return s.classify(opts)
}

// scene is a screen taken apart.
type scene struct {
	rows
	o       Observation
	profile *Profile
	ready   []string // the configured prompt; nil: the profile's own
	in      input
	found   bool // the composer was
	above   int  // the first row above the composer that still belongs to the live region
	head    int  // the head of the last block; -1: not seen
}

func (s *scene) classify(opts Options) Verdict {
	s.read(plain(s.o.Screen))
	s.profile = s.recognise(opts.Agent)
	if s.o.Dead {
		return s.off(Dead, "the pane is dead")
	}
	if s.n == 0 {
		v := s.off(Starting, "the screen is blank")
		v.Missing = "a screen"
		return v
	}
	if last := s.row(s.n - 1); strings.HasPrefix(last, "Pane is dead (") {
		return s.at(Dead, "tmux says so", s.n-1)
	}
	s.compose(opts.ReadyPrompt)
	if isShell(s.o.Command) && s.shellPrompt() {
		return s.at(Dead, "a shell's prompt is the last row", s.n-1)
	}
	return s.judge()
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

// chrome tells a row right above the composer that is no part of the transcript: the
// directory in Copilot, a hint of Gemini, the sides of a box.
func (s *scene) chrome(i int) bool {
	row := trim(s.row(i))
	r, _ := utf8.DecodeRuneInString(row)
	switch {
	case r == '╰' || r == '╭' || r == '│' || r == '┃':
		return s.profile.Heads == 0 || s.profile == &cline
	case s.profile == &copilot:
		return i == s.in.top-1
	}
	return false
}

// judge looks for the signs in their order.
func (s *scene) judge() Verdict {
	p := s.profile
	if v, ok := s.dialog(); ok {
		return v
	}
	if v, ok := s.sign(Busy, p.Busy); ok {
		return s.withText(v)
	}
	if v, ok := s.sign(Busy, working); ok {
		return s.withText(v)
	}
	if v, ok := s.sign(Busy, p.Queued); ok {
		return s.withText(v)
	}
	if v, ok := s.sign(Starting, p.Starting); ok {
		return v
	}
	if !s.found && isShell(s.o.Command) {
		return s.off(Dead, "a shell is in the foreground, and no composer is on the screen")
	}
	if !s.found {
		v := s.off(Unknown, "no composer is on the screen")
		v.Missing = "a composer"
		return v
	}
	if s.in.mode != "" {
		v := s.at(Draft, "the composer is in another mode", s.in.row)
		v.Text = s.in.text
		return v
	}
	cursor := s.cursor()
	if s.in.text != "" && !s.placeholder(cursor) {
		return s.withText(s.at(Draft, "text in the composer", s.in.row))
	}
	if v, ok := s.unanswered(); ok {
		return v
	}
	switch {
	case cursor == elsewhere && p.Composer.Cursor:
		return s.at(Unknown, "the cursor stands outside the composer", s.in.row)
	case p.TitleTells && s.o.Title == "":
		v := s.at(Unknown, "the composer is empty", s.in.row)
		v.Missing = "title"
		return v
	case p.Headed && s.head < 0 && !(p.Home != "" && strings.HasPrefix(s.in.text, p.Home)):
		v := s.at(Unknown, "the composer is empty", s.in.row)
		v.Missing = "the head of the last answer"
		return v
	}
	if s.cutAbove() {
		v := s.at(Unknown, "the composer is empty", s.in.row)
		v.Missing = "what stands above the composer"
		return v
	}
	if i, ok := s.cutFooter(); ok {
		v := s.at(Unknown, "the composer is empty", i)
		v.Missing = "the rest of the footer"
		return v
	}
	return s.at(Idle, "the composer is empty", s.in.row)
}

// dialog looks for a menu. Where the composer is drawn, only signs that are known to
// stand over one count: an answer that quotes a menu is no dialog.
func (s *scene) dialog() (Verdict, bool) {
	for i := range s.profile.Dialogs {
		d := &s.profile.Dialogs[i]
		if s.found && !d.Over && d.At != Title {
			continue
		}
		if v, ok := s.match(Dialog, d); ok {
			v.Dialog = d.Name
			if d.At == Title {
				v.Dialog = s.named(d.Name)
			}
			return v, true
		}
	}
	from := s.above
	if s.found {
		// A menu that took the place of the composer: its options read like a draft.
		if s.menuAt(s.in.row) {
			v := s.at(Dialog, "a menu's highlighted option", s.in.row)
			v.Dialog = s.named("menu")
			return v, true
		}
		if !s.profile.Composer.unframed() {
			return Verdict{}, false
		}
		from = s.in.bottom + 1
	}
	for i := s.n - 1; i >= from; i-- {
		row := inner(s.row(i))
		if row == "" {
			continue
		}
		if option(row) || menuFooter(row) {
			v := s.at(Dialog, "a menu", i)
			v.Dialog = s.named("menu")
			return v, true
		}
	}
	return Verdict{}, false
}

// menuAt tells an option of a menu with another one beside it.
func (s *scene) menuAt(i int) bool {
	return option(trim(s.row(i))) && (i+1 < s.n && numbered(trim(s.row(i+1))) || i > 0 && numbered(trim(s.row(i-1))))
}

// sign looks for each of the signs in turn.
func (s *scene) sign(kind Kind, signs []Sign) (Verdict, bool) {
	for i := range signs {
		if v, ok := s.match(kind, &signs[i]); ok {
			return v, true
		}
	}
	return Verdict{}, false
}

func (s *scene) match(kind Kind, g *Sign) (Verdict, bool) {
	from, to := s.above, s.n
	switch g.At {
	case Title:
		if s.o.Title != "" && g.Match(s.o.Title) {
			return s.off(kind, g.Name), true
		}
		return Verdict{}, false
	case Above:
		if s.found {
			to = s.in.top
		}
	case In:
		if s.found && g.Match(s.in.text) {
			return s.at(kind, g.Name, s.in.row), true
		}
		return Verdict{}, false
	case Below:
		if s.found {
			from = s.in.bottom + 1
		}
	case Under:
		if !s.found {
			return Verdict{}, false
		}
		from = s.in.bottom + 1
		for to = from; to < s.n && (to == from || blank(s.row(to-1))); to++ {
		}
	case Screen:
		from = max(0, s.n-lowest)
	}
	for i := to - 1; i >= from; i-- {
		row := s.row(i)
		if g.Margin && row != "" && row[0] == ' ' {
			continue
		}
		if row = inner(row); row != "" && g.Match(row) {
			return s.at(kind, g.Name, i), true
		}
	}
	return Verdict{}, false
}

// unanswered tells a submitted message that nothing follows.
func (s *scene) unanswered() (Verdict, bool) {
	if s.head < 0 || len(s.profile.Message) == 0 {
		return Verdict{}, false
	}
	row := trim(s.row(s.head))
	if text, _, ok := after(row, s.profile.Message); !ok || text == "" && s.profile != &opencode {
		return Verdict{}, false
	}
	for i := s.head; i < s.in.top; i++ {
		body := inner(s.row(i))
		for j := range s.profile.Answered {
			if body != "" && s.profile.Answered[j].Match(body) {
				return Verdict{}, false
			}
		}
	}
	return s.at(Busy, "a message without an answer", s.head), true
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

// cutAbove tells a screen that begins so close above the composer that the busy sign of an
// agent that draws it there can be out of sight.
func (s *scene) cutAbove() bool {
	if s.head >= 0 || s.first > 0 || s.in.top >= 4 || s.profile == Generic {
		return false
	}
	for i := range s.profile.Busy {
		if s.profile.Busy[i].At == Below {
			return false
		}
	}
	return true
}

// cutFooter tells a footer that is cut off before it says what it says at work: there a
// busy sign can be hidden.
func (s *scene) cutFooter() (int, bool) {
	if s.profile != &claude {
		return 0, false
	}
	for i := s.in.bottom + 1; i < s.n; i++ {
		row := trim(s.row(i))
		if strings.HasSuffix(row, "…") && strings.Contains(row, " on") && !strings.Contains(row, "·") && !strings.Contains(row, "(") {
			return i, true
		}
	}
	return 0, false
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
