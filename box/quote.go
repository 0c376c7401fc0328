package box

import (
	"errors"
	"slices"
	"strings"

	"al.essio.dev/pkg/shellescape"
)

// MaxCommand is the longest command line, in bytes after quoting, that every
// runtime can run. A runtime may pass it on as `sh -c "$(cat)"`, one argument of
// a process, which the kernel limits to 128 KiB; 96 leaves a transport its room
// (RPP-12).
const MaxCommand = 96 << 10

var (
	// ErrNUL: no command line can hold a NUL.
	ErrNUL = errors.New("a NUL cannot be passed to a command")
	// ErrCommandTooLong: the quoted command is longer than MaxCommand.
	ErrCommandTooLong = errors.New("the command is longer than 96 KiB after quoting")
)

// CommandLine is argv as one POSIX shell command line. It survives
// `sh -c "$(cat)"` and `sh` reading it as standard input alike: it never ends in
// a newline, which "$(cat)" would drop. An argv that no runtime could run is
// refused with ErrNUL or ErrCommandTooLong.
func CommandLine(argv []string) (string, error) {
	for _, arg := range argv {
		if strings.IndexByte(arg, 0) >= 0 {
			return "", ErrNUL
		}
	}
	line := shellescape.QuoteCommand(argv)
	if len(argv) > 0 && special(argv[0]) {
		line = "'" + argv[0] + "'" + line[len(argv[0]):]
	}
	if len(line) > MaxCommand {
		return "", ErrCommandTooLong
	}
	return line, nil
}

// special tells a first word that shellescape leaves bare and a shell would not take
// for a command's name: an assignment, or a word of the grammar.
func special(word string) bool {
	if strings.Contains(word, "=") {
		return shellescape.Quote(word) == word
	}
	return slices.Contains(strings.Fields(
		"case coproc do done elif else esac fi for function if in namespace select then time until while"), word)
}
