package tmuxbox

import (
	"strings"
	"unicode"
)

// printable replaces what a terminal would act upon.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
