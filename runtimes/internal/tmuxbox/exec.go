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

// listTimeout is what one box may take to answer: a stopped server never does.
const listTimeout = 5 * time.Second

// listRunning asks the boxes, a few at a time. One that cannot tell makes the list
// wrong, and so an error.
func (r *runtime) listRunning(ctx context.Context, prefix string) ([]string, error) {
	names, err := r.boxes.names()
	if err != nil {
		return nil, err
	}
	var (
		mu      sync.Mutex
		running []string
	)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(8)
	for _, name := range names {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		group.Go(func() error {
			ctx, cancel := context.WithTimeout(ctx, listTimeout)
			defer cancel()
			yes, err := r.isRunning(ctx, name)
			if yes {
				mu.Lock()
				defer mu.Unlock()
				running = append(running, name)
			}
			return err
		})
	}
	err = group.Wait()
	slices.Sort(running)
	return running, err
}
