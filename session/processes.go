package session

import (
	"context"
	"strings"
	"time"
)

// processTime is how long a start waits for the process names (RUN-2).
var processTime = 30 * time.Second

// awaitProcesses waits until one of the start config's process names is seen in a session
// that was launched over exec. A welded start does so itself; provision has ended by
// now. Not to see one is a warning.
func (l *life) awaitProcesses(ctx context.Context) {
	names := l.Config.ProcessNames
	if len(names) == 0 || l.over {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, processTime)
	defer cancel()
	pause := time.NewTicker(200 * time.Millisecond)
	defer pause.Stop()
	for {
		// An operation that the runtime does not have says alive (RPP-11).
		alive, err := l.Runtime.ProcessAlive(ctx, l.Name, names)
		if alive && err == nil {
			return
		}
		if running, err := l.Runtime.IsRunning(ctx, l.Name); err == nil && !running {
			return // its end is told elsewhere
		}
		select {
		case <-ctx.Done():
			l.warn("none of the processes %s was seen in %v", strings.Join(names, ", "), processTime)
			return
		case <-pause.C:
		}
	}
}
