package tmuxbox

import (
	"context"
	"fmt"
	"os"
	"strings"

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

// sendKeys presses tmux keys, with no Enter added.
func (r *runtime) sendKeys(ctx context.Context, name string, keys []string) error {
	b, a, err := r.find(ctx, name)
	switch {
	case err != nil:
		_, err = yesNo(err)
		return err
	case a.Dead: // tmux would drop the keys with rc 0
		return fmt.Errorf("session %q: the agent has ended", name)
	case a.InputOff:
		return fmt.Errorf("session %q: the pane's input is off", name)
	case len(keys) == 0:
		return nil
	}
	target := "=main:." + a.Pane
	list := []string{"send-keys", "-t", target, "--"}
	for _, key := range keys {
		list = append(list, literal(key))
	}
	if a.Mode { // it would swallow the keys with rc 0
		list = append([]string{"copy-mode", "-q", "-t", target, ";"}, list...)
	}
	_, err = r.tmux(ctx, b, "", list...)
	_, err = yesNo(err)
	return err
}

// literal keeps tmux from taking a ; at the end of an argument for the end of a
// command.
func literal(arg string) string {
	if before, ok := strings.CutSuffix(arg, ";"); ok {
		return before + `\;`
	}
	return arg
}

// interrupt presses C-c.
func (r *runtime) interrupt(ctx context.Context, name string) error {
	return r.sendKeys(ctx, name, []string{"C-c"})
}

// clearScrollback forgets what has left the screen at its top.
func (r *runtime) clearScrollback(ctx context.Context, name string) error {
	b, a, err := r.find(ctx, name)
	if err == nil {
		_, err = r.tmux(ctx, b, "", "clear-history", "-t", "=main:."+a.Pane)
	}
	_, err = yesNo(err)
	return err
}
