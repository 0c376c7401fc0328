package tmuxbox

import (
	"context"
	"os/exec"
	"sync"

	"github.com/gastownhall/tmux-carrier/rpp"
)

// An Engine makes boxes, enters them and removes them. Everything else about a
// session is the same wherever its box is.
type Engine interface {
	// Make makes the box, with env over its own environment; an empty value is
	// unset. Box.WorkDir exists by then. What Make leaves behind when it fails,
	// or is killed, Unmake removes.
	Make(ctx context.Context, b *Box, env map[string]string) error

	// Command is a process on this host that runs argv in the box: in the
	// work_dir, with the box's environment, without TMUX and TMUX_PANE, so that
	// a plain tmux reaches the box's own server. Its standard input and outputs
	// are the command's. The process carries the mark of the box (package mark).
	Command(ctx context.Context, b *Box, argv ...string) *exec.Cmd

	// Terminal is Command for a command that takes over this process's terminal.
	Terminal(ctx context.Context, b *Box, argv ...string) *exec.Cmd

	// Inside is a directory in the box that is private to its user.
	Inside(b *Box) string

	// Up tells whether the box can be entered at all. A container that stopped
	// cannot; an error means that nobody knows.
	Up(ctx context.Context, b *Box) (bool, error)

	// Unmake removes the box and every process that is left in it; those of this
	// host that carry its mark have been ended already. Nothing to remove is
	// success.
	Unmake(ctx context.Context, b *Box) error
}

// Config tells New what is particular to a runtime.
type Config struct {
	Engine Engine

	// Name is the runtime's name, and the prefix of its state directory.
	Name string

	// Capabilities answers the handshake.
	Capabilities func(ctx context.Context) ([]string, error)

	// CheckImage may be nil: the runtime has no images.
	CheckImage func(ctx context.Context, image string) error
}

// runtime is the operations over one engine.
type runtime struct {
	Config
	boxes boxes

	capable      sync.Once
	capabilities []string
}

// New makes the operations of the protocol over an engine. It mends
// this process's umask if that takes from the owner himself.
func New(cfg Config) rpp.Runtime {
	usableUmask()
	r := &runtime{Config: cfg, boxes: boxes{runtime: cfg.Name}}
	return rpp.Runtime{
		Capabilities:    cfg.Capabilities,
		Start:           r.start,
		Provision:       r.provision,
		Stop:            r.stop,
		IsRunning:       r.isRunning,
		Exec:            r.exec,
		Attach:          r.attach,
		ProcessAlive:    r.processAlive,
		IsAttached:      r.isAttached,
		LastActivity:    r.lastActivity,
		Nudge:           r.nudge,
		SendKeys:        r.sendKeys,
		Interrupt:       r.interrupt,
		Peek:            r.peek,
		ClearScrollback: r.clearScrollback,
		SetMeta:         r.setMeta,
		GetMeta:         r.getMeta,
		RemoveMeta:      r.removeMeta,
		ListRunning:     r.listRunning,
		CopyTo:          r.copyTo,
		CheckImage:      cfg.CheckImage,
		WatchStartup:    r.watchStartup,
	}
}
