package nudge

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Controls says what becomes of control characters in a text: C0 but TAB and LF,
// DEL, C1. None reaches the pane: an ESC[201~ would end the paste, and the rest
// would be typed as keys.
type Controls string

// The ways to treat control characters.
const (
	ReplaceControls Controls = "replace" // by U+FFFD; the zero value means this
	RefuseControls  Controls = "refuse"  // with a TextError
)

// TextError: the text cannot be typed. Nothing was sent; mend the text.
type TextError struct {
	Why string
}

func (e *TextError) Error() string { return "the text cannot be typed: " + e.Why }

// Prepare makes a text safe to paste (NUD-1, NUD-3). CRLF and CR become LF, and
// newlines at the end are dropped: Enter is pressed as a key of its own. A text
// that is blank, holds a NUL or is no UTF-8 is a TextError. Everything else
// arrives byte for byte.
func Prepare(text string, c Controls) (string, error) {
	switch {
	case !utf8.ValidString(text):
		return "", &TextError{Why: "it is not UTF-8"}
	case strings.IndexByte(text, 0) >= 0:
		return "", &TextError{Why: "it holds a NUL"}
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	text = strings.TrimRight(text, "\n")
	if strings.TrimSpace(text) == "" {
		return "", &TextError{Why: "it is blank"}
	}
	if i := strings.IndexFunc(text, isControl); i >= 0 {
		if c == RefuseControls {
			return "", &TextError{Why: fmt.Sprintf("a control character stands at byte %d", i)}
		}
		text = strings.Map(func(r rune) rune {
			if isControl(r) {
				return utf8.RuneError
			}
			return r
		}, text)
	}
	return text, nil
}

func isControl(r rune) bool {
	return unicode.Is(unicode.Cc, r) && r != '\t' && r != '\n'
}
