package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/rpp"
)

// weld starts by the runtime's own start (SES-1).
func (l *life) weld(ctx context.Context) (Result, error) {
	before, err := l.before(ctx)
	if err != nil {
		return l.result, fmt.Errorf("session %q: nothing was started: %w", l.Name, err)
	}
	if err := l.Runtime.Start(ctx, l.Name, l.Config); err != nil {
		before.kept = before.ran || errors.Is(err, rpp.ErrExists)
		return l.result, l.undo(ctx, before, err)
	}
	if err := l.publish(ctx); err != nil {
		return l.result, l.undo(ctx, before, err)
	}
	before.old = fence.State{} // the new incarnation's is there
	if err := l.startupDialogs(ctx); err != nil {
		return l.result, l.undo(ctx, before, err)
	}
	return l.result, nil
}

// before is what was known of the name before the start.
type before struct {
	ran  bool        // a clear yes of is-running
	kept bool        // a failed start leaves the box standing
	old  fence.State // the fence that was taken away; no Token: none
}

// before asks whether the session runs, and takes the fence of one that may (FEN-7). A
// running box whose fence cannot be read fails the start, and nothing was touched.
func (l *life) before(ctx context.Context) (before, error) {
	ran, err := l.Runtime.IsRunning(ctx, l.Name)
	b := before{ran: ran && err == nil, kept: ran && err == nil}
	switch {
	case err != nil && (ctx.Err() != nil || errors.Is(err, rpp.ErrName)):
		return b, err
	case err != nil:
		l.warn("it may be running: %v", err)
	case !ran:
		return b, nil
	}
	if !l.fenced {
		return b, nil
	}
	b.old, err = fence.Read(ctx, l.door(), l.Name)
	if errors.Is(err, box.ErrAbsent) {
		return b, nil
	}
	if err != nil || b.old.Token == "" {
		return b, err
	}
	cleared, err := fence.Clear(ctx, l.door(), l.Name)
	switch {
	case errors.Is(err, box.ErrAbsent):
		b.old = fence.State{}
		return b, nil
	case err != nil: // it may be gone all the same: the answer was lost
		return b, l.restore(ctx, b.old, err)
	}
	b.old = cleared
	return b, nil
}

// undo leaves the box of a failed start as it should be: a box that belongs to a live
// session gets its fence back, any other is stopped.
func (l *life) undo(ctx context.Context, b before, err error) error {
	l.result.Token, l.result.Pane, l.result.PID = "", "", 0
	if b.kept {
		return l.restore(ctx, b.old, err)
	}
	return l.tearDown(ctx, err)
}

func (l *life) restore(ctx context.Context, old fence.State, err error) error {
	if old.Token == "" {
		return err
	}
	ctx, cancel := lasting(ctx)
	defer cancel()
	if _, failed := fence.Restore(ctx, l.door(), old); failed != nil {
		return errors.Join(err, fmt.Errorf("its fence was not put back: %w", failed))
	}
	return err
}

func (l *life) tearDown(ctx context.Context, err error) error {
	ctx, cancel := lasting(ctx)
	defer cancel()
	if failed := Stop(ctx, l.Runtime, l.Name); failed != nil {
		return errors.Join(err, fmt.Errorf("what it made may be left: %w", failed))
	}
	return err
}
