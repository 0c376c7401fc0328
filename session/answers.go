package session

import (
	"strings"

	"github.com/gastownhall/tmux-carrier/prompt"
)

// answer is how one known startup dialog is answered: by picking the option that
// begins so. The highlight is moved there first, and Enter pressed only while the
// server itself sees it there: what is highlighted at first differs by version, and
// Enter on "No, exit" ends the agent.
type answer struct {
	agent, dialog string // as a prompt.Verdict names them
	option        string // without the number in front
}

// answers are those of dialogs that were measured. Codex 0.171.0 asked for no trust; a
// login is for a person, and a permission for whoever gave the work.
var answers = []answer{
	{"claude", "trust", "Yes, I trust this folder"}, // 2.1.332: "No, exit" is highlighted
	{"claude", "trust", "Yes, proceed"},             // 1.0.128, 2.0.53: this one is
	{"claude", "bypass", "Yes, I accept"},           // 2.1.332: "No, exit" is
	{"gemini", "trust", "Trust folder ("},           // 0.61.0: this one is; the program restarts
	{"qwen", "trust", "Trust folder ("},             // 0.1.4: this one is
	{"copilot", "trust", "Yes"},                     // 1.0.102: this one is; for the session only
}

// answerTo finds the answer to the dialog on a screen. A dialog whose option is not to
// be seen, or that has no highlight, is not known.
func answerTo(screen string, v prompt.Verdict) (answer, bool) {
	if v.Kind != prompt.Dialog {
		return answer{}, false
	}
	for _, a := range answers {
		if a.agent == v.Agent && a.dialog == v.Dialog {
			if _, ok := a.key(screen); ok {
				return a, true
			}
		}
	}
	return answer{}, false
}

// key is the next key to press: Enter on the option, or the one that moves the
// highlight towards it.
func (a answer) key(screen string) (string, bool) {
	wanted, marked := -1, -1
	for i, row := range strings.Split(screen, "\n") {
		text, mark := option(row)
		if a.matches(text) {
			wanted = i // the last one, should a transcript show it too
			if mark {
				marked = i
			}
		} else if mark {
			marked = i
		}
	}
	switch {
	case wanted < 0 || marked < 0 || max(wanted, marked)-min(wanted, marked) > 6:
		return "", false
	case wanted == marked:
		return "Enter", true
	case wanted > marked:
		return "Down", true
	}
	return "Up", true
}

// matches: an option that ends in "(" goes on with a name; any other is the whole one.
func (a answer) matches(text string) bool {
	return text == a.option || strings.HasSuffix(a.option, "(") && strings.HasPrefix(text, a.option)
}

const marks = "❯›●>"

// option takes a menu's row apart: the text without box, highlight and number.
func option(row string) (text string, marked bool) {
	text = strings.Trim(row, " │\u00a0")
	for _, mark := range marks {
		if rest, ok := strings.CutPrefix(text, string(mark)+" "); ok {
			text, marked = strings.TrimSpace(rest), true
			break
		}
	}
	if number, rest, ok := strings.Cut(text, ". "); ok && number != "" && strings.Trim(number, "0123456789") == "" {
		text = rest
	}
	return text, marked
}

// gone is a tmux format for the guard of a key: empty while the pane shows the option,
// highlighted for Enter, not highlighted for the keys that move.
func (a answer) gone(key string) string {
	row := "^([ ]|│)*"
	if key == "Enter" {
		row += "(❯|›|●|>)[ ]+"
	}
	row += "([0-9]+[.] )?"
	if text, ok := strings.CutSuffix(a.option, "("); ok {
		row += text + "[(]"
	} else {
		row += a.option + "([ ]|│)*$"
	}
	return "#{?#{C/r:" + strings.ReplaceAll(row, ",", "#,") + "},,gone}"
}
