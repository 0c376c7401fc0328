package tmuxbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/runtimes/internal/mark"
)

const (
	// rollback is what a canceled start may take to undo itself, below the 2 s
	// after which its caller kills it.
	rollback = 1700 * time.Millisecond

	// Agents may save what they have when asked to end. A canceled start has no
	// time for that.
	graceOfStop     = 2 * time.Second
	stopTimeout     = 20 * time.Second
	graceOfRollback = 300 * time.Millisecond
)

type warnFunc = func(format string, args ...any)

func (r *runtime) start(ctx context.Context, name string, cfg rpp.StartConfig, warn warnFunc) error {
	return r.build(ctx, name, cfg, true, warn)
}

// provision is start without the agent: a warm box with a tmux server that has
// the session's environment, and no session.
func (r *runtime) provision(ctx context.Context, name string, cfg rpp.StartConfig, warn warnFunc) error {
	return r.build(ctx, name, cfg, false, warn)
}

// build makes the box of a session, over whatever dead one holds its name, and
// undoes everything if it fails or is canceled.
func (r *runtime) build(ctx context.Context, name string, cfg rpp.StartConfig, launch bool, warn warnFunc) (err error) {
	dir, unlock, err := r.boxes.lock(ctx, name, true)
	if err != nil {
		return err
	}
	defer unlock()
	if err := r.free(ctx, name); err != nil {
		return err
	}
	b := &Box{Name: name, Dir: dir, ID: newID(), WorkDir: cfg.WorkDir}
	defer func() {
		if err == nil {
			return
		}
		undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollback)
		defer cancel()
		if undone := r.remove(undo, b, graceOfRollback); undone != nil {
			err = fmt.Errorf("%w; and it could not be undone: %w", err, undone)
		} else if b.MadeWorkDir {
			_ = os.Remove(b.WorkDir) // not if it holds something
		}
	}()
	if err := r.removeLeftover(ctx, name, dir); err != nil {
		return err
	}
	l := &life{runtime: r, Box: b, cfg: cfg, warn: warn}
	if err := l.run(ctx, launch); err != nil {
		return err
	}
	return context.Cause(ctx) // canceled at the very end: still ours to undo
}

// free is an error that is rpp.ErrExists if the name is taken: by an agent that lives,
// or by a caller who is about to launch one.
func (r *runtime) free(ctx context.Context, name string) error {
	b, a, err := r.find(ctx, name)
	switch {
	case err == nil && a.Dead:
		return nil
	case err == nil:
		return fmt.Errorf("session %q: %w", name, rpp.ErrExists)
	case !errors.Is(err, box.ErrAbsent): // it may be a live session's: hands off
		return fmt.Errorf("cannot tell whether it runs: %w", err)
	case b != nil && b.Warm.held():
		return fmt.Errorf("session %q: process %d is about to launch its agent: %w", name, b.Warm.Caller, rpp.ErrExists)
	}
	return nil
}

// removeLeftover removes a box that is not running: a dead agent's, or what a
// killed start has made so far.
func (r *runtime) removeLeftover(ctx context.Context, name, dir string) error {
	old, err := r.boxes.find(name)
	if errors.Is(err, box.ErrAbsent) {
		return clearDir(dir)
	}
	if err != nil {
		return err
	}
	if err := r.unmake(ctx, old, graceOfRollback); err != nil {
		return fmt.Errorf("session %q: what an earlier start left behind: %w", name, err)
	}
	return clearDir(dir)
}

// clearDir empties the directory but keeps it: it is our lock.
func clearDir(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}

// remove removes the box and its directory, the caller's lock with it.
func (r *runtime) remove(ctx context.Context, b *Box, grace time.Duration) error {
	if b.ID != "" {
		if err := r.unmake(ctx, b, grace); err != nil {
			return fmt.Errorf("session %q: %w", b.Name, err) // the record stays, for another try
		}
	}
	return os.RemoveAll(b.Dir)
}

// unmake ends the box's processes on this host (all of them, if the box is a
// directory; else what entered it from here) and removes it.
func (r *runtime) unmake(ctx context.Context, b *Box, grace time.Duration) error {
	return errors.Join(mark.End(ctx, b.ID, grace), r.Engine.Unmake(ctx, b))
}

// stop removes the session's box, whatever state it is in. Nothing there is
// success.
func (r *runtime) stop(ctx context.Context, name string) error {
	dir, unlock, err := r.boxes.lock(ctx, name, false)
	if errors.Is(err, box.ErrAbsent) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unlock()
	b, err := r.boxes.find(name)
	if errors.Is(err, box.ErrAbsent) {
		b, err = &Box{Name: name, Dir: dir}, nil
	}
	if err != nil {
		return err
	}
	// Begun, it goes to its end. An agent may stop its own session: then the HUP
	// that the end of its terminal sends is what cancels us.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	return r.remove(ctx, b, graceOfStop)
}

// life is one run through the steps of a start.
type life struct {
	*runtime
	*Box
	cfg  rpp.StartConfig
	warn warnFunc
}

func (l *life) run(ctx context.Context, launch bool) error {
	env, err := l.environment()
	if err != nil {
		return err
	}
	if strings.Contains(l.cfg.Command, "\x00") {
		return errors.New("command: it holds a NUL")
	}
	if err := l.workDir(); err != nil {
		return fmt.Errorf("work_dir: %w", err)
	}
	if err := l.save(); err != nil {
		return err
	}
	if err := l.Engine.Make(ctx, l.Box, env); err != nil {
		return err
	}
	if err := l.saveIdentity(); err != nil { // before is-running can be true (SES-5)
		return err
	}
	// pre_start comes before the files, since it may be what makes the work_dir: a
	// git worktree wants to be made in an empty one.
	if err := l.commands(ctx, "pre_start", l.cfg.PreStart); err != nil {
		return err
	}
	if err := l.files(ctx); err != nil {
		return err
	}
	if err := l.session(ctx, launch); err != nil {
		return err
	}
	if launch {
		if err := l.awaitProcess(ctx); err != nil {
			return err
		}
	}
	if err := l.setup(ctx); err != nil {
		return err
	}
	if launch {
		if err := l.ended(ctx); err != nil {
			return err
		}
	} else {
		l.Warm = warmNow()
		if err := l.save(); err != nil {
			return err
		}
	}
	// Last, since nothing after it can fail.
	return l.leaveWaiter(ctx)
}

// workDir makes sure that there is one: a container cannot be given what does not
// exist.
func (l *life) workDir() error {
	var err error
	if l.WorkDir == "" {
		l.WorkDir = l.Path("work")
	} else if l.WorkDir, err = filepath.Abs(l.WorkDir); err != nil {
		return err
	}
	switch info, err := os.Stat(l.WorkDir); {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is no directory", l.WorkDir)
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist): // it is there, or below what cannot be searched
		return err
	}
	// Not before: a rollback would remove a link that leads nowhere.
	err = os.MkdirAll(l.WorkDir, 0o755)
	l.MadeWorkDir = err == nil
	return err
}

// ended is an error if the agent has ended already; that of a one_shot may have.
func (l *life) ended(ctx context.Context) error {
	a, err := l.agent(ctx, l.Box)
	// tmux sees the terminal's end before it hears the exit status. One that a signal
	// ended has none. Up to 3.3a it can miss the word of it until its next child ends.
	for tries := 0; a.Dead && a.Status == "" && tries < 10 && sleep(ctx, 20*time.Millisecond); tries++ {
		_, _ = l.tmux(ctx, l.Box, "run-shell", "true")
		a, err = l.agent(ctx, l.Box)
	}
	switch {
	case l.cfg.Lifecycle == rpp.LifecycleOneShot && (err == nil || errors.Is(err, box.ErrAbsent)):
		return nil
	case err != nil:
		return err
	case !a.Dead:
		return nil
	}
	// One line of history: tmux makes room for its own "Pane is dead" at the bottom,
	// and so scrolls the first line of the screen away.
	screen, _ := l.capture(ctx, l.Box, a.Pane, 1)
	return fmt.Errorf("session %q: the agent ended at once (status %s); its last line: %q", l.Name, a.Status, lastLine(screen))
}

// lastLine of a dead agent's screen, above the "Pane is dead" that tmux adds.
func lastLine(screen string) string {
	last := ""
	for line := range strings.Lines(screen) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "Pane is dead") {
			last = line
		}
	}
	return firstLine(last)
}
