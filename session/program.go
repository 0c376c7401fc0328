package session

import "strings"

// program is the first word of a command that is one simple command, so that exec can
// stand in front of it; else "". It errs on the side of "": then sh stays the pane's
// root process, and a fence is bound to that.
func program(command string) string {
	word, _, _ := strings.Cut(command, " ")
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_./+-", r)
	}
	if word == "" || word[0] == '-' || strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return "" // an assignment, a quote, an expansion, a second line
	}
	var quote rune
	escaped := false
	for i, r := range command {
		switch {
		case escaped:
			escaped = false
		case quote == '\'':
			if r == '\'' {
				quote = 0
			}
		case r == '\\':
			escaped = true
		case r == '`', r == '$' && strings.HasPrefix(command[i+1:], "("):
			return "" // another command inside
		case r == quote:
			quote = 0
		case quote != 0:
		case r == '"', r == '\'':
			quote = r
		case strings.ContainsRune(";&|()\n#", r):
			return ""
		}
	}
	return word
}
