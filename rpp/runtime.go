package rpp

import (
	"context"
	"io"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
)

// Runtime is the other side of the wire: a runtime written in Go. Each field
// is an operation of the protocol; a nil field is an operation that the runtime
// does not have, which Serve answers with exit 2. An error becomes exit 1 with
// its text on standard error; an error that is ErrTemporary becomes exit 75.
//
// The context of an operation is canceled by SIGTERM: an operation that creates
// something rolls it back and returns, within the caller's grace of 2 s.
type Runtime struct {
	// Capabilities is the handshake's list. It is a function since a runtime may
	// have to look (which tmux is in the box?); nil declares none.
	Capabilities func(ctx context.Context) ([]string, error)

	// Warn, given to Start and Provision, writes one marked line to standard
	// error: what failed without failing the start (RUN-2).
	Start     func(ctx context.Context, name string, cfg StartConfig, warn func(format string, args ...any)) error
	Provision func(ctx context.Context, name string, cfg StartConfig, warn func(format string, args ...any)) error
	Stop      func(ctx context.Context, name string) error
	IsRunning func(ctx context.Context, name string) (bool, error)

	// Exec runs one POSIX shell command line in the box, its output (both
	// streams) going to out as it comes, and returns the command's exit code.
	Exec func(ctx context.Context, name, command string, out io.Writer) (code int, err error)

	Attach       func(ctx context.Context, name string) error // on the process's own terminal
	ProcessAlive func(ctx context.Context, name string, processes []string) (bool, error)
	IsAttached   func(ctx context.Context, name string) (bool, error)
	LastActivity func(ctx context.Context, name string) (time.Time, error) // zero: unsupported

	Nudge           func(ctx context.Context, name, text string) error
	SendKeys        func(ctx context.Context, name string, keys []string) error
	Interrupt       func(ctx context.Context, name string) error
	Peek            func(ctx context.Context, name string, lines int) (string, error)
	ClearScrollback func(ctx context.Context, name string) error

	SetMeta    func(ctx context.Context, name, key, value string) error
	GetMeta    func(ctx context.Context, name, key string) (string, error) // "": unset
	RemoveMeta func(ctx context.Context, name, key string) error

	ListRunning func(ctx context.Context, prefix string) ([]string, error)
	CopyTo      func(ctx context.Context, name, src, relDst string) error
	CheckImage  func(ctx context.Context, image string) error

	// WatchStartup emits a screen each time that it changes, until ctx ends.
	WatchStartup func(ctx context.Context, name string, emit func(screen string) error) error
}

// Capabilities of the handshake that this project acts upon.
const (
	CapExec             = box.ProcExec
	CapProvision        = "proc.provision"
	CapReportActivity   = box.ReportActivity
	CapReportAttachment = box.ReportAttachment
	CapInputFence       = box.InputFence
)
