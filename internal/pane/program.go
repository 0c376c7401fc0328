package pane

import "strings"

// Program is the first word of a command that is one simple command, so that exec
// can stand in front of it; else "". The agent has to be the pane's root process:
// respawn-pane replaces that one, and a fence is bound to it. bash, busybox ash and
// some mksh make it so by themselves; dash 0.5.12, Debian's sh, never does.
func Program(command string) string {
	command = strings.TrimSpace(command)
	word, _, _ := strings.Cut(command, " ")
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_./+-", r)
	}
	if word == "" || word[0] == '-' || strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return "" // an assignment, a quote, an expansion, a second line
	}
	quote := rune(0)
	escaped := false
	for i, r := range command {
		switch {
		case escaped:
			escaped = false
		case quote == '\'' && r != '\'':
		case r == '\\':
			escaped = true
		case r == '`', r == '$' && strings.HasPrefix(command[i+1:], "("):
			return "" // another command inside; it could be anything
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
