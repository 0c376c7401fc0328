package sleep

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Config is the policy of all sessions, as read by Parse or written in Go.
//
//	[session_sleep]                  # by class
//	interactive_resume = "30m"
//	noninteractive = "0s"
//
//	[[group]]                        # by class, for the sessions of a group
//	name = "reviewers"
//	interactive_resume = "off"
//
//	[[session]]
//	name = "bob"
//	class = "interactive_resume"     # left out: interactive_fresh
//	group = "reviewers"
//	sleep_after_idle = "10m"         # beats the group, which beats the class
//	[session.start]                  # handed on as it stands
//	command = "claude"
type Config struct {
	Sleep    map[Class]Setting
	Groups   map[string]map[Class]Setting
	Sessions []SessionConfig
}

// SessionConfig is one [[session]].
type SessionConfig struct {
	Name           string
	Class          Class // "" counts as InteractiveFresh, the class that loses most
	Group          string
	SleepAfterIdle Setting
	Start          map[string]any // how to start it; this package does not read it
}

// Policy of a session; one that the config does not name has the class defaults
// of InteractiveFresh. Capability and attachment come from CapabilityOf.
func (c Config) Policy(session string, capability Capability, attachment bool) Policy {
	s := SessionConfig{Name: session}
	for _, known := range c.Sessions {
		if known.Name == session {
			s = known
			break
		}
	}
	return c.policy(s, capability, attachment)
}

// Entries are the sessions that the config names, for a Sessions.List.
func (c Config) Entries(capability Capability, attachment bool) []Entry {
	entries := make([]Entry, 0, len(c.Sessions))
	for _, s := range c.Sessions {
		entries = append(entries, Entry{Name: s.Name, Policy: c.policy(s, capability, attachment)})
	}
	return entries
}

func (c Config) policy(s SessionConfig, capability Capability, attachment bool) Policy {
	if s.Class == "" {
		s.Class = InteractiveFresh
	}
	return Policy{
		Class:      s.Class,
		Setting:    nearest(s.SleepAfterIdle, c.Groups[s.Group][s.Class], c.Sleep[s.Class]),
		Capability: capability,
		Attachment: attachment,
	}
}

// Warning is something in a config that is not an error.
type Warning struct {
	Line int // from 1
	Text string
}

func (w Warning) String() string { return fmt.Sprintf("line %d: %s", w.Line, w.Text) }

// classTable holds the keys that [session_sleep] and [[group]] share. Pointers:
// a key that is left out and one that is empty are two things.
type classTable struct {
	InteractiveResume *string `toml:"interactive_resume"`
	InteractiveFresh  *string `toml:"interactive_fresh"`
	Noninteractive    *string `toml:"noninteractive"`
}

type groupTable struct {
	Name string `toml:"name"`
	classTable
}

type configFile struct {
	SessionSleep classTable   `toml:"session_sleep"`
	Group        []groupTable `toml:"group"`
	Session      []struct {
		Name           string         `toml:"name"`
		Class          *string        `toml:"class"`
		Group          string         `toml:"group"`
		SleepAfterIdle *string        `toml:"sleep_after_idle"`
		Start          map[string]any `toml:"start"`
	} `toml:"session"`
}

// Parse reads a config. An unknown key is a warning with its line: a config may
// be newer than the program that reads it. Everything else that is wrong is an
// error, all of them at once: a policy that is half understood puts the wrong
// session to sleep.
func Parse(text []byte) (Config, []Warning, error) {
	var file configFile
	var warnings []Warning
	d := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		// go-toml decodes the whole document before it reports unknown keys.
		var unknown *toml.StrictMissingError
		var at *toml.DecodeError
		switch {
		case errors.As(err, &unknown):
			for _, e := range unknown.Errors {
				line, _ := e.Position()
				warnings = append(warnings, Warning{line, fmt.Sprintf("unknown key %s", strings.Join(e.Key(), "."))})
			}
		case errors.As(err, &at):
			line, column := at.Position()
			return Config{}, nil, fmt.Errorf("line %d, column %d: %w", line, column, err)
		default:
			return Config{}, nil, err
		}
	}
	c, err := file.config()
	if err != nil {
		return Config{}, warnings, err
	}
	return c, warnings, nil
}

func (f configFile) config() (Config, error) {
	var errs []error
	c := Config{Groups: map[string]map[Class]Setting{}}
	c.Sleep = f.SessionSleep.settings("session_sleep", &errs)
	for i, g := range f.Group {
		if g.Name == "" {
			errs = append(errs, fmt.Errorf("group %d has no name", i+1))
			continue
		}
		if _, twice := c.Groups[g.Name]; twice {
			errs = append(errs, fmt.Errorf("group %q is given twice", g.Name))
		}
		c.Groups[g.Name] = g.settings("group."+g.Name, &errs)
	}
	seen := map[string]bool{}
	for i, s := range f.Session {
		if s.Name == "" {
			errs = append(errs, fmt.Errorf("session %d has no name", i+1))
			continue
		}
		if seen[s.Name] {
			errs = append(errs, fmt.Errorf("session %q is given twice", s.Name))
		}
		seen[s.Name] = true
		out := SessionConfig{Name: s.Name, Group: s.Group, Start: s.Start}
		if s.Class != nil {
			class, err := ParseClass(*s.Class)
			if err != nil {
				errs = append(errs, fmt.Errorf("session %q: %w", s.Name, err))
			}
			out.Class = class
		}
		if _, known := c.Groups[s.Group]; s.Group != "" && !known {
			errs = append(errs, fmt.Errorf("session %q: there is no group %q", s.Name, s.Group))
		}
		out.SleepAfterIdle = setting(s.SleepAfterIdle, "session."+s.Name+".sleep_after_idle", &errs)
		c.Sessions = append(c.Sessions, out)
	}
	return c, errors.Join(errs...)
}

func (t classTable) settings(table string, errs *[]error) map[Class]Setting {
	m := map[Class]Setting{}
	for class, s := range map[Class]*string{
		InteractiveResume: t.InteractiveResume,
		InteractiveFresh:  t.InteractiveFresh,
		Noninteractive:    t.Noninteractive,
	} {
		if s != nil {
			m[class] = setting(s, table+"."+string(class), errs)
		}
	}
	return m
}

func setting(s *string, source string, errs *[]error) Setting {
	if s == nil {
		return Setting{}
	}
	v, err := ParseSetting(*s, source)
	if err != nil {
		*errs = append(*errs, err)
	}
	return v
}
