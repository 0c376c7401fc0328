package tmuxbox

import (
	"context"
	"strconv"
	"time"
)

// capture is the agent's screen and so many lines above it.
func (r *runtime) capture(ctx context.Context, b *Box, pane string, lines int) (string, error) {
	return r.tmux(ctx, b, "capture-pane", "-p", "-t", "=main:."+pane, "-S", strconv.Itoa(-max(lines, 0)))
}

// peek shows a dead agent's last screen too.
func (r *runtime) peek(ctx context.Context, name string, lines int) (string, error) {
	b, a, err := r.find(ctx, name)
	if err != nil {
		return "", err
	}
	return r.capture(ctx, b, a.Pane, lines)
}

// watchInterval is between two looks at a screen that is watched.
const watchInterval = 200 * time.Millisecond

// watchStartup emits the agent's screen each time that it is another one.
func (r *runtime) watchStartup(ctx context.Context, name string, emit func(screen string) error) error {
	last := ""
	for first := true; ; first = false {
		screen, err := r.peek(ctx, name, 0)
		if ctx.Err() != nil {
			return nil // that is how it ends
		}
		if err != nil {
			return err
		}
		if first || screen != last {
			last = screen
			if err := emit(screen); err != nil {
				return err
			}
		}
		if !sleep(ctx, watchInterval) {
			return nil
		}
	}
}
