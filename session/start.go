package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/rpp"
)

// Start starts a session: where the runtime declares proc.provision and proc.exec, by
// Provision and Launch, else by its own start, with the fence and the ready prompt
// published after it. What each failure leaves is the package's table.
func Start(ctx context.Context, o Options) (Result, error) {
	l, err := begin(ctx, o)
	if err != nil {
		return l.result, err
	}
	if l.separable {
		if err := l.provision(ctx); err != nil {
			return l.result, err
		}
		return l.launchNew(ctx)
	}
	return l.weld(ctx)
}

// life is one start.
type life struct {
	Options
	separable bool // provision, then launch over exec
	fenced    bool // the box takes fenced input
	idle      bool // the box keeps the ready prompt, for idle checks

	token  fence.Token // "" unless fenced
	result Result
	over   bool // the agent of a one_shot has ended
}

// begin asks the handshake once. One that cannot be had for now fails the start before
// anything is touched: to take it for "no capabilities" would start an agent without
// its fence. One that is malformed declares nothing (RPP-6).
func begin(ctx context.Context, o Options) (*life, error) {
	l := &life{Options: o, result: Result{Session: o.Name}}
	if o.Runtime == nil {
		return l, errors.New("session: no runtime was given")
	}
	h, err := o.Runtime.Protocol(ctx)
	if err != nil {
		var op *rpp.OpError
		if errors.As(err, &op) && op.Code < 0 {
			return l, fmt.Errorf("session %q: nothing was started: %w", o.Name, err)
		}
		l.warn("the runtime's handshake is taken for none: %v", err)
		h = rpp.Handshake{}
	}
	exec := h.Has(rpp.CapExec)
	l.separable = exec && h.Has(rpp.CapProvision)
	l.fenced = exec && h.Has(rpp.CapInputFence)
	l.idle = exec && h.Has(rpp.CapReportActivity) && h.Has(rpp.CapReportAttachment)
	return l, l.name()
}

// name gives the incarnation its token.
func (l *life) name() error {
	if l.Token != "" {
		if _, err := fence.ParseToken(string(l.Token)); err != nil {
			return fmt.Errorf("session %q: %w", l.Name, err)
		}
	}
	switch {
	case !l.fenced:
		if l.Token != "" {
			l.warn("%v: no fence was set", fence.ErrUnsupported)
		}
	case l.Token != "":
		l.token = l.Token
	default:
		if l.token = IDOf(l.Config.Env).Token(); l.token == "" {
			l.token = fence.NewToken()
		}
	}
	return nil
}

func (l *life) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	l.result.Warnings = append(l.result.Warnings, text)
	if l.Warn != nil {
		l.Warn(text)
	}
}

// teardownTime is what a stop or a restore may take when the caller's time is up.
const teardownTime = 30 * time.Second

// lasting is a context for what must be done though the caller's has ended.
func lasting(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), teardownTime)
}
