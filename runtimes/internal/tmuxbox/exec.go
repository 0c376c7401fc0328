package tmuxbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
)

// merged is sh with one stream of output: merged here, on the host, the two streams of
// a docker exec come in either order.
var merged = []string{"sh", "-c", "exec sh 2>&1"}

// exec runs one command line in the box: sh reads it on its standard input, so it is
// on nobody's list of processes, and of any length.
func (r *runtime) exec(ctx context.Context, name, command string, out io.Writer) (int, error) {
	b, err := r.boxes.find(name)
	if err != nil {
		return 0, err
	}
	cmd := r.Engine.Command(ctx, b, merged...)
	cmd.Stdin = strings.NewReader(command)
	cmd.Stdout, cmd.Stderr = out, out
	// What the command left behind may hold its output for ever.
	cmd.WaitDelay = 250 * time.Millisecond
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return 0, fmt.Errorf("session %q: exec: %w", name, context.Cause(ctx))
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return 0, nil
	case !errors.As(err, &exit):
		return 0, fmt.Errorf("session %q: exec: %w", name, err)
	}
	// A container that is gone makes the docker command fail, with codes that a
	// command could have too.
	if up, err := r.Engine.Up(ctx, b); err == nil && !up {
		return 0, fmt.Errorf("session %q: exec: the box is not up", name)
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil // as sh would say it
	}
	return exit.ExitCode(), nil
}

// listPatience is what one box may take to answer: a stopped server never does.
const listPatience = 1500 * time.Millisecond

// listRunning asks up to 16 boxes at a time, so that one that hangs keeps no other
// from being asked. A box that cannot tell is listed: it may be running, and a list
// without it, or none at all, would say that it is not.
func (r *runtime) listRunning(ctx context.Context, prefix string) ([]string, error) {
	names, err := r.boxes.names()
	if err != nil {
		return nil, err
	}
	var (
		mu      sync.Mutex
		running []string
	)
	var group errgroup.Group
	group.SetLimit(16)
	for _, name := range names {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		group.Go(func() error {
			ctx, cancel := context.WithTimeout(ctx, listPatience)
			defer cancel()
			if yes, err := r.isRunning(ctx, name); yes || err != nil {
				mu.Lock()
				defer mu.Unlock()
				running = append(running, name)
			}
			return nil
		})
	}
	_ = group.Wait()
	slices.Sort(running)
	return running, context.Cause(ctx)
}
