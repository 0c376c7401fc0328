package nudge

import (
	"strings"
	"testing"

	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/prompt"
)

// One tmux client takes 16,364 bytes of arguments: each list fits with the longest token
// and a full journal.
func TestListsFit(t *testing.T) {
	g := fence.Guard{
		Ticket: newTicket(), Token: fence.Token(strings.Repeat("x", 128)), Dialog: prompt.DialogFormat(),
		Brackets: true, Journaled: true,
	}
	const journal = 10 + 64*34
	for name, list := range map[string]string{
		"pasting":  pasting(g, "gc-"+g.Ticket).Arg(),
		"pressing": pressing(g, []string{"Enter"}, "text", false).Arg(),
	} {
		if n := len(list) + journal; n > 16000 {
			t.Errorf("%s: %d bytes", name, n)
		} else {
			t.Logf("%s: %d bytes of 16,364", name, n)
		}
	}
}
