package session

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"strings"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/internal/pane"
	"github.com/gastownhall/tmux-carrier/nudge"
)

var (
	//go:embed answer.sh
	answerSource string
	answerScript = box.NewScript("dialog", pane.Find, pane.Turn, answerSource)
)

// press presses one key of an answer, if the pane still shows what it was chosen by:
// the server checks that, and the fence, in the key's own list. Without exec there is
// only the runtime's send-keys, which checks nothing.
func (l *life) press(ctx context.Context, a answer, key string) (sent bool, err error) {
	g := fence.Guard{Ticket: rand.Text(), Token: l.token, Dialog: a.gone(key)}
	list := g.List(pane.List{{"send-keys", "-t", pane.Target, key}, pane.Say("sent")})
	door := l.door()
	reply, err := door.Run(ctx, l.Name, answerScript, g.Ticket, "10", "5", fence.OptionIn(ctx, door), string(g.Token), list.Arg())
	if errors.Is(err, box.ErrExecUnsupported) {
		pressed, err := l.carrier().Session(l.Name).Keys(ctx, nudge.Keys{Keys: []string{key}})
		return pressed.Stage == nudge.HandedOver, err
	}
	if err != nil {
		return false, err
	}
	at := ""
	for line := range strings.Lines(string(reply.Output)) {
		line = strings.TrimSuffix(line, "\n")
		word, value, _ := strings.Cut(line, " ")
		switch word {
		case "at":
			at = value
		case "sent":
			return true, nil
		case "contended":
			return false, &fence.RefusedError{Session: l.Name, Reason: fence.Contended}
		case "refused":
			id, pid, _ := strings.Cut(at, " ")
			err := g.Refusal(l.Name, value, id, pid)
			var r *fence.RefusedError
			if errors.Is(err, fence.ErrMoved) || errors.As(err, &r) && r.Reason == fence.Dialog {
				return false, nil
			}
			return false, err
		}
	}
	return false, door.Outage(ctx, l.Name, "dialog: an answer without a word")
}
