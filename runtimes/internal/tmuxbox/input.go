package tmuxbox

import (
	"context"
	"os"

	"github.com/gastownhall/tmux-carrier/nudge"
)

// nudge types the text and Enter. Best effort: a session that is not there is no
// error, a text that was not typed is.
func (r *runtime) nudge(ctx context.Context, name, text string) error {
	if order := os.Getenv(waiterEnv); order != "" {
		return r.wait(ctx, name, text, order)
	}
	_, err := nudge.Deliver(ctx, r.door(), name, nudge.Message{Text: text})
	_, err = yesNo(err)
	return err
}

// sendKeys presses tmux keys, with no Enter added. They wait for their turn: between
// another sender's text and its Enter they would become part of the message.
func (r *runtime) sendKeys(ctx context.Context, name string, keys []string) error {
	_, err := nudge.Press(ctx, r.door(), name, nudge.Keys{Keys: keys})
	_, err = yesNo(err)
	return err
}

// interrupt stops the agent's turn with the agent's own keys.
func (r *runtime) interrupt(ctx context.Context, name string) error {
	_, err := nudge.Interrupt(ctx, r.door(), name, "", "")
	_, err = yesNo(err)
	return err
}

// clearScrollback forgets what has left the screen at its top.
func (r *runtime) clearScrollback(ctx context.Context, name string) error {
	b, a, err := r.find(ctx, name)
	if err == nil {
		_, err = r.tmux(ctx, b, "clear-history", "-t", "=main:."+a.Pane)
	}
	_, err = yesNo(err)
	return err
}
