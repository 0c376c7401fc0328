package prompt

import "strings"

// Find tells which agent an observation shows; Generic if none is recognised.
func Find(o Observation) *Profile {
	var s scene
	s.o = o
	s.read(plain(o.Screen), o.Height)
	return s.recognise("")
}

// recognise goes by name, command, title, and the screen, in this order.
func (s *scene) recognise(name string) *Profile {
	if name != "" {
		if p := Lookup(name); p != nil {
			return p
		}
	}
	if c := s.o.Command; c != "" {
		for _, p := range profiles {
			for _, own := range p.Commands {
				if c == own {
					return p
				}
			}
		}
	}
	if s.o.Title != "" {
		for _, p := range profiles {
			if p.Titled != nil && p.Titled(s.o.Title) {
				return p
			}
		}
	}
	for _, p := range profiles {
		if s.drawn(p) {
			return p
		}
	}
	return Generic
}

// drawn tells whether the lowest rows are what this agent draws: one of its marks, or a
// composer that no other agent has.
func (s *scene) drawn(p *Profile) bool {
	for i := s.n - 1; i >= -s.past && i >= s.n-lowest; i-- {
		for _, m := range p.Marks {
			if strings.Contains(s.row(i), m) {
				return true
			}
		}
		if p.Drawn != nil && p.Drawn(s.row(i)) {
			return true
		}
	}
	return false
}
