package sleep

import (
	"fmt"
	"slices"
	"time"

	"github.com/gastownhall/tmux-carrier/rpp"
)

// Class says what is lost when a session sleeps, and who would miss it.
type Class string

const (
	InteractiveResume Class = "interactive_resume" // a person talks to it; it resumes its conversation
	InteractiveFresh  Class = "interactive_fresh"  // a person talks to it; it starts afresh
	Noninteractive    Class = "noninteractive"     // nobody talks to it
)

// Classes in the order in which they are printed.
var Classes = []Class{InteractiveResume, InteractiveFresh, Noninteractive}

func (c Class) interactive() bool { return c != Noninteractive }

// ParseClass refuses a word that is no class, the empty one too.
func ParseClass(s string) (Class, error) {
	if c := Class(s); slices.Contains(Classes, c) {
		return c, nil
	}
	return "", fmt.Errorf("class %q is none of interactive_resume, interactive_fresh, noninteractive", s)
}

// Setting is how long a session must be idle before it may sleep. The zero
// Setting is off: what nobody set never sleeps.
type Setting struct {
	Sleep  bool          // false: off
	After  time.Duration // 0: as soon as it is idle
	Source string        // where it was set, for people; "" means that it was not
}

// ParseSetting reads a duration, 0s or off. The empty string is an error: it is
// more often a template that did not fill in than a wish.
func ParseSetting(s, source string) (Setting, error) {
	if s == "off" {
		return Setting{Source: source}, nil
	}
	if s == "" {
		return Setting{}, fmt.Errorf("%s: an empty string says nothing; write a duration, \"0s\" or \"off\"", source)
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return Setting{}, fmt.Errorf("%s: %q is neither a duration nor \"off\"", source, s)
	}
	if d < 0 {
		return Setting{}, fmt.Errorf("%s: %q is negative", source, s)
	}
	return Setting{Sleep: true, After: d, Source: source}, nil
}

func (s Setting) String() string {
	if !s.Sleep {
		return "off"
	}
	return s.After.String()
}

// Capability is what the runtime lets us do, by its handshake.
type Capability string

const (
	Full      Capability = "full"       // any session, at an idle boundary
	TimedOnly Capability = "timed_only" // non-interactive ones, by the activity clock
	Disabled  Capability = "disabled"   // none
)

// CapabilityOf reads a handshake's list. Attachment says whether is-attached may
// be asked: it is, under timed_only too (SLP-2).
func CapabilityOf(declared []string) (capability Capability, attachment bool) {
	has := func(c string) bool { return slices.Contains(declared, c) }
	attachment = has(rpp.CapReportAttachment)
	switch {
	case !has(rpp.CapReportActivity):
		return Disabled, attachment
	case attachment && has(rpp.CapExec):
		return Full, attachment
	}
	return TimedOnly, attachment
}

// Policy is what holds for one session. The zero Policy never sleeps.
type Policy struct {
	Class      Class
	Setting    Setting
	Capability Capability
	Attachment bool // report-attachment is declared: nobody is attached only if is-attached says so
}

// maySleep says whether there is a state of the session in which it would sleep.
func (p Policy) maySleep() bool {
	return p.Setting.Sleep && (p.Capability == Full || p.Capability == TimedOnly && !p.Class.interactive())
}

// Fingerprint changes when the policy changes in a way that a sleeping session
// should learn of by being woken. The source is not part of it (the same value
// written elsewhere is the same policy), nor is the capability: a handshake that
// fails once would wake every sleeper.
func (p Policy) Fingerprint() string { return string(p.Class) + " " + p.Setting.String() }

// nearest returns the first setting that was made.
func nearest(settings ...Setting) Setting {
	for _, s := range settings {
		if s.Source != "" {
			return s
		}
	}
	return Setting{Source: "default"}
}
