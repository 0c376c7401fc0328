package rpp

import (
	"fmt"
	"strings"
	"unicode"
)

// checkArgs refuses what no executable should be run with (RPP-1). The first
// argument is a session's name, an image or a prefix; beyond that names are
// passed as they are, since they are the runtime's to judge.
func checkArgs(op string, args []string) error {
	for _, arg := range args {
		if strings.IndexByte(arg, 0) >= 0 {
			return fmt.Errorf("%s: %w: an argument holds a NUL", op, ErrName)
		}
	}
	if len(args) == 0 {
		return nil
	}
	name := args[0]
	switch {
	case name == "" && op != "list-running": // an empty prefix lists all
		return fmt.Errorf("%s: %w: it is empty", op, ErrName)
	case strings.HasPrefix(name, "-"): // would be read as a flag
		return fmt.Errorf("%s: %w: %q starts with -", op, ErrName, name)
	case strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("%s: %w: %q holds a control character", op, ErrName, name)
	}
	return nil
}

// checkServedName is stricter, for the runtimes that Serve runs: they make paths,
// container names and tmux targets of it.
func checkServedName(name string) error {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("._-", r)
	}
	switch {
	case name == "" || name == "." || name == "..", strings.HasPrefix(name, "-"),
		strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }):
		return fmt.Errorf("%w: %q (letters, digits, and ._- but not first -)", ErrName, name)
	}
	return nil
}
