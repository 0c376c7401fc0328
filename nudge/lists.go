package nudge

import (
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/internal/pane"
	"github.com/gastownhall/tmux-carrier/prompt"
)

// remember writes the journal in the same list as what it tells of.
var remember = pane.Command{"set-option", "-p", "-t", pane.Target, "@gc_journal", pane.Journal}

// pasting is the guarded list that puts the text in. `-r` keeps LF as it is; `-p`
// brackets it, so that several lines are one message (NUD-2). A paste into a dead
// pane kills the server up to tmux 3.3a: the guard looks in the same list.
func pasting(g fence.Guard, buffer string) pane.List {
	return g.List(pane.List{
		{"paste-buffer", "-p", "-r", "-d", "-b", buffer, "-t", pane.Target},
		remember,
		pane.Say("typed"),
	})
}

// pressing is the guarded list that presses Enter for a text that stands in the composer,
// and that may look like a dialog itself. quoted: the screen quoted one before.
func pressing(g fence.Guard, keys []string, text string, quoted bool) pane.List {
	g.Brackets = false // judged before the text went in
	if g.Dialog != "" {
		g.Dialog = prompt.DialogFormatBehind(text, quoted)
	}
	return g.List(pane.List{
		append(pane.Command{"send-keys", "-t", pane.Target}, keys...),
		remember,
		pane.Say("submitted"),
	})
}
