package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/prompt"
)

const (
	// startupTime is how long a start looks for the first dialog, and for the next
	// after an answer. It ends earlier, once the agent shows its composer.
	startupTime = 10 * time.Second
	// lookEvery is the pace of looking where nothing else tells that the screen changed.
	lookEvery = 200 * time.Millisecond
	// mostDialogs bounds the answers of one call: no agent asks more than three.
	mostDialogs = 5
)

// answerTime is how long an agent may take to show what a key did; Gemini CLI restarts on
// an answer. Tests have less patience.
var answerTime = 10 * time.Second

// Dialogs looks for a dialog on the agent's screen, now. With dismiss, known startup
// dialogs are answered, one after the other; any other is left alone. Of Config only
// the ready prompt counts, and a Token limits the keys to one incarnation.
func Dialogs(ctx context.Context, o Options, dismiss bool) ([]DialogReport, error) {
	l := &life{Options: o, token: o.Token, result: Result{Session: o.Name}}
	if err := fence.Require(ctx, l.door(), l.Name, l.token); err != nil {
		return nil, err
	}
	seen, err := Observe(ctx, l.carrier(), l.Name)
	if err != nil {
		return nil, err
	}
	v := prompt.Classify(seen, l.classify())
	if v.Kind != prompt.Dialog {
		return nil, nil
	}
	if !dismiss {
		return []DialogReport{l.report(seen, v)}, nil
	}
	return l.answerAll(ctx, &watcher{life: l}, seen, v)
}

// startupDialogs answers the known dialogs of an agent that was just started, where it
// is asked to (SES-3). One that is not known, or does not go, is a warning.
func (l *life) startupDialogs(ctx context.Context) error {
	if l.over || !l.answersDialogs() {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &watcher{life: l, screens: l.stream(ctx)}
	defer func() {
		cancel()
		for range w.screens { // until the stream has ended
		}
	}()
	seen, v, err := w.next(ctx, startupTime)
	if errors.Is(err, box.ErrExecUnsupported) {
		l.warn("startup dialogs cannot be looked for: %v", err)
		return nil
	}
	var met []DialogReport
	if err == nil && v.Kind == prompt.Dialog {
		met, err = l.answerAll(ctx, w, seen, v)
	}
	for _, r := range met {
		if r.Outcome != DialogAnswered {
			l.warn("a dialog stands on the screen: %s of %s (%s)", r.Dialog, r.Agent, r.Outcome)
		}
	}
	var refused *fence.RefusedError
	if errors.As(err, &refused) {
		if refused.Reason != fence.Dead { // a person has the pane, or a sender
			l.warn("startup dialogs: %v", err)
			return nil
		}
		_, err = w.observe(ctx)
	}
	switch {
	case l.over || err == nil:
		return nil
	case errors.Is(err, box.ErrAbsent):
		return l.gone(err)
	}
	return fmt.Errorf("startup dialogs: %w", err)
}

// report says what a dialog is; it is left alone so far.
func (l *life) report(seen prompt.Observation, v prompt.Verdict) DialogReport {
	r := DialogReport{Session: l.Name, Agent: v.Agent, Dialog: v.Dialog, Outcome: DialogLeft}
	if a, ok := answerTo(seen.Screen, v); ok {
		r.Answer = a.option
	}
	return r
}

// answerAll answers the dialog that was seen, and those that follow.
func (l *life) answerAll(ctx context.Context, w *watcher, seen prompt.Observation, v prompt.Verdict) ([]DialogReport, error) {
	var met []DialogReport
	for v.Kind == prompt.Dialog && len(met) < mostDialogs {
		r := l.report(seen, v)
		a, known := answerTo(seen.Screen, v)
		var err error
		if known {
			r.Outcome, err = w.answer(ctx, a, seen)
		}
		met = append(met, r)
		if err != nil || r.Outcome != DialogAnswered {
			return met, err
		}
		if seen, v, err = w.next(ctx, startupTime); err != nil {
			return met, err
		}
	}
	return met, nil
}

// answer moves the highlight to the option and presses Enter. Each key is pressed once:
// a second one, from impatience, would be read by a slow agent behind the first, and
// could answer the dialog that comes next.
func (w *watcher) answer(ctx context.Context, a answer, seen prompt.Observation) (DialogOutcome, error) {
	for range mostDialogs {
		key, ok := a.key(seen.Screen)
		if !ok || w.over {
			return DialogAnswered, nil // by somebody else, or it went by itself
		}
		sent, err := w.press(ctx, a, key)
		if err != nil {
			return DialogLeft, err
		}
		if !sent { // the screen is another one by now
			if seen, err = w.observe(ctx); err != nil {
				return DialogLeft, err
			}
			continue
		}
		gone := 0 // looks in which it was; once may be a screen half drawn
		for end := time.Now().Add(answerTime); ; {
			if err := pause(ctx, lookEvery/2); err != nil {
				return DialogStuck, err
			}
			if seen, err = w.observe(ctx); err != nil {
				return DialogStuck, err
			}
			next, there := a.key(seen.Screen)
			if there && next != key {
				break // the highlight moved
			}
			if gone++; there {
				gone = 0
			}
			if gone > 1 || w.over {
				return DialogAnswered, nil
			}
			if time.Now().After(end) {
				return DialogStuck, nil
			}
		}
	}
	return DialogStuck, nil
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
