package session

import (
	"context"
	"time"

	"github.com/gastownhall/tmux-carrier/prompt"
)

// watcher looks at an agent that starts: whenever the runtime streams a screen, and by
// itself. What is streamed is not read: it knows neither title nor death, and may be
// older than our last key.
type watcher struct {
	*life
	screens <-chan string // nil: nothing is streamed
}

// stream gives the screens of watch-startup, closed at its end. A runtime without it,
// or whose stream fails, is looked at instead.
func (l *life) stream(ctx context.Context) <-chan string {
	screens := make(chan string)
	go func() {
		defer close(screens)
		_, _ = l.Runtime.WatchStartup(ctx, l.Name, func(screen string) error {
			select {
			case screens <- screen:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	return screens
}

// next looks until a dialog is there, or none is to be expected: two looks have found
// the agent at its composer, or its time is up. A dialog that we do not answer must be
// seen twice too, for a screen may be half drawn. An agent that died is an error.
func (w *watcher) next(ctx context.Context, limit time.Duration) (prompt.Observation, prompt.Verdict, error) {
	end := time.Now().Add(limit)
	screens, pace, settled := w.screens, lookEvery, 0
	for {
		select {
		case <-ctx.Done():
			return prompt.Observation{}, prompt.Verdict{}, ctx.Err()
		case _, ok := <-screens:
			if pace = lookEvery; !ok {
				screens = nil
				continue
			}
			pace = 5 * lookEvery
		case <-time.After(pace):
		}
		seen, err := w.observe(ctx)
		if err != nil || w.over {
			return seen, prompt.Verdict{}, err
		}
		v := prompt.Classify(seen, w.classify())
		switch v.Kind {
		case prompt.Dialog:
			if _, known := answerTo(seen.Screen, v); known {
				return seen, v, nil
			}
			settled++
		case prompt.Idle, prompt.Draft, prompt.Busy:
			settled++
		default:
			settled = 0
		}
		if settled > 0 {
			pace = lookEvery
		}
		if settled > 1 || time.Now().After(end) {
			return seen, v, nil
		}
	}
}

// observe is Observe, and an agent whose pane is dead is an error, or over.
func (w *watcher) observe(ctx context.Context) (prompt.Observation, error) {
	seen, err := Observe(ctx, w.carrier(), w.Name)
	if err != nil || !seen.Dead {
		return seen, err
	}
	s, err := w.look(ctx)
	switch {
	case err != nil:
		return seen, err
	case s.pane == "":
		return seen, w.door().Outage(ctx, w.Name, "observe: an answer without its end")
	case !s.dead: // another one has taken its place meanwhile
		return seen, nil
	}
	return seen, w.ended(s)
}
