package tmuxbox

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var shellName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// environment is the start config's env, as every shell can carry it. What a name
// is not a shell's is left out: dash drops such a variable anyway.
func (l *life) environment() (map[string]string, error) {
	env := make(map[string]string, len(l.cfg.Env))
	for _, name := range slices.Sorted(maps.Keys(l.cfg.Env)) {
		value := l.cfg.Env[name]
		switch {
		case !shellName.MatchString(name):
			l.warn("env: %q is no name of a shell variable; left out", name)
		case strings.Contains(value, "\x00"):
			return nil, fmt.Errorf("env: the value of %s holds a NUL", name) // and not the value
		default:
			env[name] = value
		}
	}
	return env, nil
}
