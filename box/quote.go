package box

import (
	"errors"
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
	if len(line) > MaxCommand {
		return "", ErrCommandTooLong
	}
	return line, nil
}
