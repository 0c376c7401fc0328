package pane

import "strings"

// Placeholders stand in a List for what only the box knows; the script fills them in (put
// in find.sh) with digits, or with words of the journal's alphabet. No fence token can
// hold one.
const (
	ID      = "!PANE!"    // the agent pane's id, %N
	PID     = "!PID!"     // the process id of the pane's root process
	Leave   = "!LEAVE!"   // the command that takes the pane out of a mode
	Journal = "!JOURNAL!" // the journal as it shall be
	Last    = "!LAST!"    // the journal's last entry as it is, stage included
)

// Target names the agent pane, and fails once the pane has left session main.
// `main` alone would be a prefix and a pattern (CAR-4).
const Target = "=main:." + ID

// Command is one tmux command and its arguments. No word may be empty or hold a
// newline.
type Command []string

// List is a tmux command list: it runs in the server without another client's
// command in between, as long as none of its commands waits.
type List []Command

// If is the command that runs one list or the other, in place, by a format that
// is expanded on the target.
func If(condition string, then, otherwise List) Command {
	c := Command{"if-shell", "-F", "-t", Target, condition, then.String()}
	if len(otherwise) > 0 {
		c = append(c, otherwise.String())
	}
	return c
}

// Say is the command that prints a line of the script's answer: text, with the
// formats in it expanded on the agent pane. tmux runs strftime over it: no `%`.
func Say(text string) Command {
	return Command{"display-message", "-p", "-t", Target, text}
}

// Words is the list as the arguments of one tmux client.
func (l List) Words() []string {
	var words []string
	for i, c := range l {
		if i > 0 {
			words = append(words, ";")
		}
		for _, w := range c {
			// A trailing `;` of any argument separates commands.
			if before, ok := strings.CutSuffix(w, ";"); ok {
				w = before + `\;`
			}
			words = append(words, w)
		}
	}
	return words
}

// Arg is the list as one argument of a script, a word a line.
func (l List) Arg() string {
	words := l.Words()
	for _, w := range words {
		if w == "" || strings.Contains(w, "\n") {
			panic("pane: a word of a command list is empty or holds a newline")
		}
	}
	return strings.Join(words, "\n")
}

// String is the list as tmux's own parser reads it: a branch of if-shell.
func (l List) String() string {
	var b strings.Builder
	for i, c := range l {
		if i > 0 {
			b.WriteString(" ; ")
		}
		for j, w := range c {
			if j > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(quote(w))
		}
	}
	return b.String()
}

// quote makes one word of a string that tmux parses. Inside single quotes nothing
// is special to it. Leave, filled in later, is a command of several words.
func quote(w string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=:."
	if w == Leave || w != "" && strings.Trim(w, plain) == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'"'"'`) + "'"
}
