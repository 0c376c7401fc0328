package box

import (
	"errors"
	"strings"
)

// Script is a POSIX sh script for a box. It ends 0 when its output says what
// happened, and with the failing command's status when tmux failed: then what it
// wrote to standard error tells an absent session from an outage.
type Script struct {
	name   string
	source string
}

// NewScript makes a Script of embedded sources, run one after the other in one
// shell. Values reach a script as arguments only. Comment lines are for us: the
// box does not get them, so that its command stays short.
func NewScript(name string, sources ...string) Script {
	var b strings.Builder
	for _, source := range sources {
		for line := range strings.Lines(source) {
			if bare := strings.TrimSpace(line); bare == "" || strings.HasPrefix(bare, "#") {
				continue
			}
			b.WriteString(strings.TrimLeft(line, " \t"))
		}
	}
	return Script{name: name, source: b.String()}
}

// Fits tells whether the script with these arguments is a command that every
// runtime can run (MaxCommand).
func (s Script) Fits(args ...string) bool {
	_, err := CommandLine(newFrame().argv(s, args))
	return !errors.Is(err, ErrCommandTooLong)
}
