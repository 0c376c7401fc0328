package session

import (
	"context"
	"fmt"

	"github.com/gastownhall/tmux-carrier/rpp"
)

// Stop ends the session and its box. An absent one is a success; a runtime without
// the operation is an error, for nothing was stopped.
func Stop(ctx context.Context, runtime *rpp.Provider, name string) error {
	handled, err := runtime.Stop(ctx, name)
	if err == nil && !handled {
		err = fmt.Errorf("stop %q: the runtime has no stop operation", name)
	}
	return err
}
