package rpp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Start makes the session's box and starts its agent. A name that is taken is
// ErrExists, which beats ErrTemporary; a canceled start is neither, whatever it
// said (RPP-8).
func (p *Provider) Start(ctx context.Context, name string, cfg StartConfig) error {
	return p.start(ctx, "start", name, cfg)
}

// Provision makes the box without the agent. Exit 2 is a failure where the
// handshake declares proc.provision (or cannot be had), else not handled.
func (p *Provider) Provision(ctx context.Context, name string, cfg StartConfig) (handled bool, err error) {
	err = p.start(ctx, "provision", name, cfg)
	if unknown(err) {
		if h, perr := p.Protocol(ctx); perr == nil && !h.Has(CapProvision) {
			return done(err)
		}
	}
	return err == nil, err
}

func (p *Provider) start(ctx context.Context, op, name string, cfg StartConfig) error {
	config, err := json.Marshal(cfg)
	if err != nil {
		return fmt.Errorf("%s %q: %w", op, name, err)
	}
	_, err = p.do(ctx, call{op: op, args: []string{name}, stdin: string(config), stdout: io.Discard})
	return err
}

// Stop ends the session and its box; an absent one is a success.
func (p *Provider) Stop(ctx context.Context, name string) (handled bool, err error) {
	return p.tell(ctx, "stop", "", name)
}

// IsRunning tells whether the session lives. An error means that it cannot be
// told, and so does exit 2: "unknown operation" is not "no".
func (p *Provider) IsRunning(ctx context.Context, name string) (bool, error) {
	out, err := p.do(ctx, call{op: "is-running", args: []string{name}})
	if err != nil {
		return false, err
	}
	return yesNo("is-running", name, out)
}

// IsAttached tells whether somebody looks at the session (RPP-10). Nobody does
// where the handshake has no report-attachment; the operation is not run then.
// Where it cannot be told, attached is true and err says why: a caller that
// looks at attached alone errs on the side of leaving a person alone.
func (p *Provider) IsAttached(ctx context.Context, name string) (attached bool, err error) {
	h, err := p.Protocol(ctx)
	if unanswered(err) {
		return true, err
	}
	if !h.Has(CapReportAttachment) { // declared none, or not properly
		return false, nil
	}
	out, err := p.do(ctx, call{op: "is-attached", args: []string{name}})
	if err == nil {
		attached, err = yesNo("is-attached", name, out)
	}
	return attached || err != nil, err
}

// ProcessAlive tells whether one of the named processes runs in the session. A
// runtime that cannot look (exit 2, or no answer) reads as alive (RPP-11).
func (p *Provider) ProcessAlive(ctx context.Context, name string, processes []string) (bool, error) {
	var names strings.Builder
	for _, process := range processes {
		names.WriteString(process + "\n")
	}
	out, err := p.do(ctx, call{op: "process-alive", args: []string{name}, stdin: names.String()})
	switch {
	case unknown(err), err == nil && strings.TrimSpace(out) == "":
		return true, nil
	case err != nil:
		return false, err
	}
	return yesNo("process-alive", name, out)
}

// LastActivity is when the session last did something; zero: not known here.
func (p *Provider) LastActivity(ctx context.Context, name string) (time.Time, error) {
	out, err := p.do(ctx, call{op: "get-last-activity", args: []string{name}})
	if unknown(err) {
		err = nil
	}
	if err != nil {
		return time.Time{}, err
	}
	at, err := time.Parse(time.RFC3339, strings.TrimSpace(out))
	if err != nil {
		return time.Time{}, nil // malformed is unsupported (RPP-11)
	}
	return at, nil
}

// Nudge types the text and Enter into the session, in the runtime's own way.
// Nothing is confirmed: handled says only that the runtime has the operation.
func (p *Provider) Nudge(ctx context.Context, name, text string) (handled bool, err error) {
	return p.tell(ctx, "nudge", text, name)
}

// SendKeys sends tmux key names.
func (p *Provider) SendKeys(ctx context.Context, name string, keys ...string) (handled bool, err error) {
	return p.tell(ctx, "send-keys", "", append([]string{name}, keys...)...)
}

// Interrupt stops the agent's turn.
func (p *Provider) Interrupt(ctx context.Context, name string) (handled bool, err error) {
	return p.tell(ctx, "interrupt", "", name)
}

// ClearScrollback drops the pane's history.
func (p *Provider) ClearScrollback(ctx context.Context, name string) (handled bool, err error) {
	return p.tell(ctx, "clear-scrollback", "", name)
}

// Peek is the captured text, as the runtime printed it.
func (p *Provider) Peek(ctx context.Context, name string, lines int) (text string, handled bool, err error) {
	text, err = p.do(ctx, call{op: "peek", args: []string{name, strconv.Itoa(lines)}})
	handled, err = done(err)
	if !handled {
		text = ""
	}
	return text, handled, err
}

// SetMeta keeps a value under a key of the session.
func (p *Provider) SetMeta(ctx context.Context, name, key, value string) (handled bool, err error) {
	return p.tell(ctx, "set-meta", value, name, key)
}

// GetMeta is the value of a key, "" when it is unset or nobody keeps it (exit
// 2). An error means "cannot tell", and is not to be taken for unset (RPP-11).
// One newline at the end, which `echo` adds, is not part of the value.
func (p *Provider) GetMeta(ctx context.Context, name, key string) (string, error) {
	out, err := p.do(ctx, call{op: "get-meta", args: []string{name, key}})
	if unknown(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(out, "\n"), nil
}

// RemoveMeta unsets a key.
func (p *Provider) RemoveMeta(ctx context.Context, name, key string) (handled bool, err error) {
	return p.tell(ctx, "remove-meta", "", name, key)
}

// ListRunning names the live sessions whose name starts with the prefix.
func (p *Provider) ListRunning(ctx context.Context, prefix string) ([]string, error) {
	out, err := p.do(ctx, call{op: "list-running", args: []string{prefix}})
	if unknown(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return lines(out), nil
}

// CopyTo copies a host path into the box, relDst being relative to its work_dir.
func (p *Provider) CopyTo(ctx context.Context, name, src, relDst string) (handled bool, err error) {
	return p.tell(ctx, "copy-to", "", name, src, relDst)
}

// CheckImage tells, by its error, whether boxes can be made of the image.
func (p *Provider) CheckImage(ctx context.Context, image string) (handled bool, err error) {
	return p.tell(ctx, "check-image", "", image)
}

// tell runs an operation that prints no answer.
func (p *Provider) tell(ctx context.Context, op, stdin string, args ...string) (handled bool, err error) {
	_, err = p.do(ctx, call{op: op, args: args, stdin: stdin, stdout: io.Discard})
	return done(err)
}

func yesNo(op, name, out string) (bool, error) {
	switch strings.TrimSpace(out) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("%s %q: answered neither true nor false: %s", op, name, oneLine(out))
}
