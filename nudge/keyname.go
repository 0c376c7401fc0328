package nudge

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// KeyError: a word is no tmux key name. tmux would type it letter by letter.
type KeyError struct {
	Key string
	Why string
}

func (e *KeyError) Error() string { return fmt.Sprintf("key %q: %s", e.Key, e.Why) }

// keyNames are the named keys of tmux 3.0 and later, in lower case: tmux does not
// mind the case.
var keyNames = func() map[string]bool {
	m := map[string]bool{}
	for _, k := range strings.Fields(`
		Enter Escape Space Tab BTab BSpace Up Down Left Right Home End
		PPage PageUp PgUp NPage PageDown PgDn IC Insert DC Delete
		F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12
		KP/ KP* KP- KP7 KP8 KP9 KP+ KP4 KP5 KP6 KP1 KP2 KP3 KPEnter KP0 KP.`) {
		m[strings.ToLower(k)] = true
	}
	return m
}()

// KeyName checks a tmux key name: a single character, a named key, or either with
// the modifiers C-, M- and S- (or ^ for C-). It returns the name to send.
func KeyName(key string) (string, error) {
	if key == "" {
		return "", &KeyError{Key: key, Why: "is empty"}
	}
	rest, shift := key, false
	if len(rest) > 1 && rest[0] == '^' {
		rest = rest[1:]
	}
	for len(rest) > 2 && rest[1] == '-' && strings.ContainsRune("CcMmSs", rune(rest[0])) {
		shift = shift || rest[0] == 'S' || rest[0] == 's'
		rest = rest[2:]
	}
	named := keyNames[strings.ToLower(rest)]
	r, n := utf8.DecodeRuneInString(rest)
	single := n == len(rest) && r != utf8.RuneError && unicode.IsPrint(r)
	switch {
	case !named && !single:
		return "", &KeyError{Key: key, Why: "is no tmux key name"}
	case single && r > unicode.MaxASCII && rest != key:
		return "", &KeyError{Key: key, Why: "takes a modifier only with an ASCII character"}
	case single && shift:
		return "", &KeyError{Key: key, Why: "a shifted character is written as itself"}
	case shift && strings.EqualFold(key, "S-Tab"):
		return "BTab", nil // typed as letters on tmux 3.2 to 3.4
	case shift && isTyped(rest):
		return "", &KeyError{Key: key, Why: "is typed as letters by tmux 3.2 to 3.4"}
	}
	return key, nil
}

// isTyped tells the keys that tmux 3.2 to 3.4 cannot send with Shift.
func isTyped(name string) bool {
	switch strings.ToLower(name) {
	case "enter", "tab", "space", "escape", "bspace", "btab":
		return true
	}
	return false
}
