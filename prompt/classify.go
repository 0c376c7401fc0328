package prompt

import "strings"

// Classify says what the screen shows. It allocates nothing for a plain screen of
// a known agent.
func Classify(o Observation, opts Options) Verdict {
	var s scene
	s.o = o
	return s.classify(opts)
}

func (s *scene) classify(opts Options) Verdict {
	s.read(plain(s.o.Screen), s.o.Height)
	s.profile = s.recognise(opts.Agent)
	if s.o.Dead {
		return s.off(Dead, "the pane is dead")
	}
	if s.n == 0 {
		return lacking("a screen", s.off(Starting, "the screen is blank"))
	}
	if last := s.row(s.n - 1); strings.HasPrefix(last, "Pane is dead (") {
		return s.at(Dead, "tmux says so", s.n-1)
	}
	s.compose(opts.ready(s.o))
	if isShell(s.o.Command) && s.shellPrompt() {
		return s.at(Dead, "a shell's prompt is the last row", s.n-1)
	}
	return s.judge()
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
		return lacking("a composer", s.off(Unknown, "no composer is on the screen"))
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
	empty := s.at(Unknown, "the composer is empty", s.in.row)
	cut, isCut := s.sign(Unknown, p.Cut)
	switch {
	case cursor == elsewhere && p.Composer.Cursor:
		return s.at(Unknown, "the cursor stands outside the composer", s.in.row)
	case p.TitleTells && s.o.Title == "":
		return lacking("title", empty)
	case p.Headed && s.head < 0 && !(p.Home != "" && strings.HasPrefix(s.in.text, p.Home)):
		return lacking("the head of the last answer", empty)
	case s.o.Height > 0 && s.o.Height < low:
		return lacking("what a pane so low has no room for", empty)
	case s.cutAbove():
		return lacking("what stands above the composer", empty)
	case isCut:
		return lacking("the rest of that row", cut)
	}
	return s.at(Idle, empty.Sign, s.in.row)
}

// lacking is a verdict that could not be given for want of something.
func lacking(missing string, v Verdict) Verdict {
	v.Missing = missing
	return v
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
		// What is drawn below a composer is newer: one that stands above a menu is old.
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
	if _, _, ok := after(row, s.profile.Message); !ok {
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
