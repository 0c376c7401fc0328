package session

import (
	"context"
	"errors"
)

var errNotYet = errors.New("session: not built yet")

// Start starts a session.
func Start(ctx context.Context, o Options) (Result, error) { return Result{}, errNotYet }

// Relaunch starts a new agent in a warm box.
func Relaunch(ctx context.Context, o Options) (Result, error) { return Result{}, errNotYet }

// Dialogs looks for a dialog, and answers a known one if dismiss is set.
func Dialogs(ctx context.Context, o Options, dismiss bool) ([]DialogReport, error) {
	return nil, errNotYet
}
