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

// serve dispatches. What is not there exits 2 before anything else is looked at.
func (s *server) serve(ctx context.Context) error {
	serve := s.lookup()
	if serve == nil {
		return errNotServed
	}
	if err := s.checkArgs(); err != nil {
		return err
	}
	return serve(ctx)
}

// lookup finds an operation by its name; nil: it is not there.
func (s *server) lookup() func(context.Context) error {
	switch s.op {
	case "protocol":
		return s.protocol
	case "start":
		return s.starting(s.Start)
	case "provision":
		return s.starting(s.Provision)
	case "stop":
		return s.telling(s.Stop)
	case "attach":
		return s.telling(s.Attach)
	case "interrupt":
		return s.telling(s.Interrupt)
	case "clear-scrollback":
		return s.telling(s.ClearScrollback)
	case "check-image":
		return s.telling(s.CheckImage)
	case "is-running":
		return s.asking(s.IsRunning)
	case "is-attached":
		return s.asking(s.IsAttached)
	case "exec":
		return given(s.Exec != nil, s.exec)
	case "process-alive":
		return given(s.ProcessAlive != nil, s.processAlive)
	case "get-last-activity":
		return given(s.LastActivity != nil, s.lastActivity)
	case "nudge":
		return given(s.Nudge != nil, s.nudge)
	case "send-keys":
		return given(s.SendKeys != nil, s.sendKeys)
	case "peek":
		return given(s.Peek != nil, s.peek)
	case "set-meta":
		return given(s.SetMeta != nil, s.setMeta)
	case "get-meta":
		return given(s.GetMeta != nil, s.getMeta)
	case "remove-meta":
		return given(s.RemoveMeta != nil, s.removeMeta)
	case "list-running":
		return given(s.ListRunning != nil, s.listRunning)
	case "copy-to":
		return given(s.CopyTo != nil, s.copyTo)
	case "watch-startup":
		return given(s.WatchStartup != nil, s.watchStartup)
	}
	return nil
}

func given(there bool, serve func(context.Context) error) func(context.Context) error {
	if !there {
		return nil
	}
	return serve
}

// checkArgs: arguments that a newer caller adds are ignored.
func (s *server) checkArgs() error {
	least := 1
	switch s.op {
	case "protocol", "list-running":
		least = 0
	case "peek", "set-meta", "get-meta", "remove-meta", "send-keys":
		least = 2
	case "copy-to":
		least = 3
	}
	if len(s.args) < least {
		return fmt.Errorf("%d arguments, not the %d that it takes", len(s.args), least)
	}
	switch {
	case s.op == "protocol", s.op == "list-running" && s.name() == "":
		return nil
	case s.op == "check-image": // a reference has slashes and colons
		return checkArgs(s.op, s.args)
	}
	return checkServedName(s.name())
}

func (s *server) name() string { return s.arg(-1) }

func (s *server) starting(start func(context.Context, string, StartConfig, func(string, ...any)) error) func(context.Context) error {
	return given(start != nil, func(ctx context.Context) error {
		data, err := s.input(ctx)
		if err != nil {
			return err
		}
		var cfg StartConfig
		if strings.TrimSpace(data) != "" { // every key is optional; so are the braces
			if err := json.Unmarshal([]byte(data), &cfg); err != nil {
				return fmt.Errorf("start config: %w", err)
			}
		}
		return start(ctx, s.name(), cfg, s.warn)
	})
}

func (s *server) telling(tell func(context.Context, string) error) func(context.Context) error {
	return given(tell != nil, func(ctx context.Context) error { return tell(ctx, s.name()) })
}

func (s *server) asking(ask func(context.Context, string) (bool, error)) func(context.Context) error {
	return given(ask != nil, func(ctx context.Context) error { return s.answer(ask(ctx, s.name())) })
}

func (s *server) answer(yes bool, err error) error {
	return s.print(fmt.Sprintln(yes), err)
}

func (s *server) print(text string, err error) error {
	if err != nil || text == "" {
		return err
	}
	_, err = io.WriteString(s.stdout, text)
	return err
}

func (s *server) protocol(ctx context.Context) error {
	h := Handshake{Capabilities: []string{}}
	if s.Capabilities != nil {
		declared, err := s.Capabilities(ctx)
		if err != nil {
			return err
		}
		h.Capabilities = append(h.Capabilities, declared...)
	}
	line, err := json.Marshal(h)
	return s.print(string(line)+"\n", err)
}

func (s *server) exec(ctx context.Context) error {
	command, err := s.input(ctx)
	if err != nil {
		return err
	}
	code, err := s.Exec(ctx, s.name(), command, s.stdout)
	if err != nil {
		return err
	}
	if code < 0 || code > 255 { // no process can exit so
		return fmt.Errorf("the command has no exit code: %d", code)
	}
	return exitCode(code)
}

func (s *server) processAlive(ctx context.Context) error {
	names, err := s.input(ctx)
	if err != nil {
		return err
	}
	return s.answer(s.ProcessAlive(ctx, s.name(), lines(names)))
}

func (s *server) lastActivity(ctx context.Context) error {
	at, err := s.LastActivity(ctx, s.name())
	if err != nil || at.IsZero() {
		return err
	}
	return s.print(at.UTC().Format(time.RFC3339Nano)+"\n", nil)
}

func (s *server) nudge(ctx context.Context) error {
	text, err := s.input(ctx)
	if err != nil {
		return err
	}
	return s.Nudge(ctx, s.name(), text)
}

func (s *server) sendKeys(ctx context.Context) error {
	return s.SendKeys(ctx, s.name(), s.args[1:])
}

func (s *server) peek(ctx context.Context) error {
	n, err := strconv.Atoi(s.arg(0))
	if err != nil || n < 0 {
		return fmt.Errorf("%q is no number of lines", s.arg(0))
	}
	return s.print(s.Peek(ctx, s.name(), n))
}

func (s *server) setMeta(ctx context.Context) error {
	value, err := s.input(ctx)
	if err != nil {
		return err
	}
	return s.SetMeta(ctx, s.name(), s.arg(0), value)
}

// getMeta ends a value with a newline, which its reader takes off again, so that
// one which ends in a newline comes back whole. Unset prints nothing at all.
func (s *server) getMeta(ctx context.Context) error {
	value, err := s.GetMeta(ctx, s.name(), s.arg(0))
	if value != "" {
		value += "\n"
	}
	return s.print(value, err)
}

func (s *server) removeMeta(ctx context.Context) error {
	return s.RemoveMeta(ctx, s.name(), s.arg(0))
}

func (s *server) listRunning(ctx context.Context) error {
	names, err := s.ListRunning(ctx, s.name())
	var list strings.Builder
	for _, name := range names {
		list.WriteString(name + "\n")
	}
	return s.print(list.String(), err)
}

func (s *server) copyTo(ctx context.Context) error {
	return s.CopyTo(ctx, s.name(), s.arg(0), s.arg(1))
}

func (s *server) watchStartup(ctx context.Context) error {
	out := json.NewEncoder(s.stdout) // a line each
	out.SetEscapeHTML(false)
	return s.WatchStartup(ctx, s.name(), func(screen string) error {
		return out.Encode(struct {
			Content string `json:"content"`
		}{screen})
	})
}

// lines are a text's lines that hold something.
func lines(text string) (list []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			list = append(list, line)
		}
	}
	return list
}
