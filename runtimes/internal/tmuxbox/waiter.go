package tmuxbox

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/internal/pane"
	"github.com/gastownhall/tmux-carrier/nudge"
	"github.com/gastownhall/tmux-carrier/prompt"
	"github.com/gastownhall/tmux-carrier/runtimes/internal/mark"
)

// The start config's nudge is typed by a waiter: this very executable, serving the
// operation nudge, in a session of its own. It outlives start, and an orchestrator
// that is killed; it carries the box's mark, so it does not outlive the box (SES-4).
const (
	waiterEnv      = "TMUX_CARRIER_WAITER" // its order, as JSON
	waiterPatience = 10 * time.Minute
	waiterInterval = 300 * time.Millisecond
)

// order is what a waiter is told beside the text.
type order struct {
	Box     string // the id: another box of that name is none of its business
	Ready   string `json:",omitempty"` // ready_prompt_prefix
	DelayMS int    `json:",omitempty"` // ready_delay_ms
}

// leaveWaiter starts the waiter. The text goes through a file that has no name any
// more, so that it is neither in an argument nor left behind.
func (l *life) leaveWaiter(context.Context) error {
	if l.cfg.Nudge == "" {
		return nil
	}
	what, err := json.Marshal(order{Box: l.ID, Ready: l.cfg.ReadyPromptPrefix, DelayMS: l.cfg.ReadyDelayMS})
	if err != nil {
		return err
	}
	text, err := os.CreateTemp(l.Dir, ".nudge-")
	if err != nil {
		return err
	}
	defer text.Close()
	if err := os.Remove(text.Name()); err != nil {
		return err
	}
	if _, err := text.WriteString(l.cfg.Nudge); err != nil {
		return err
	}
	if _, err := text.Seek(0, 0); err != nil {
		return err
	}
	log, err := l.log()
	if err != nil {
		return err
	}
	defer log.Close()

	argv, err := self("nudge", l.Name)
	if err != nil {
		return err
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), mark.Variable+"="+l.ID, waiterEnv+"="+string(what))
	cmd.Dir = "/"
	cmd.Stdin, cmd.Stderr = text, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("session %q: the waiter for its nudge: %w", l.Name, err)
	}
	return cmd.Process.Release()
}

// self is the command line of this process with another operation. Whatever program
// serves the runtime, `start NAME` or `provision NAME` stands last on it.
func self(operation, name string) ([]string, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	n := len(os.Args)
	if n < 3 || os.Args[n-1] != name {
		return nil, errors.New("nudge: this process was not run as a runtime: its arguments do not end with an operation and the session")
	}
	argv := append([]string{exe}, os.Args[1:n-2]...)
	return append(argv, operation, name), nil
}

//go:embed look.sh
var lookSource string

var lookScript = box.NewScript("look", pane.Find, pane.See, lookSource)

// wait types the text as soon as the agent is ready for it, and gives up when the
// agent, or the box, is not the one that it waited for.
func (r *runtime) wait(ctx context.Context, name, text, orders string) error {
	var o order
	if err := json.Unmarshal([]byte(orders), &o); err != nil {
		return fmt.Errorf("%s: %w", waiterEnv, err)
	}
	ctx, cancel := context.WithTimeout(ctx, waiterPatience)
	defer cancel()
	w := waiter{runtime: r, name: name, order: o, began: time.Now()}
	m := nudge.Message{Text: text, ID: nudge.NewID()}
	for {
		ready, err := w.ready(ctx)
		if err != nil {
			return err
		}
		if ready {
			_, err := nudge.Deliver(ctx, r.door(), name, m)
			// A dialog that came up meanwhile, a text without its Enter: the same ID
			// again does only what is missing.
			var refused *fence.RefusedError
			var partial *nudge.PartialError
			if !errors.As(err, &refused) && !errors.As(err, &partial) {
				return err
			}
		}
		if !sleep(ctx, waiterInterval) {
			return fmt.Errorf("session %q: its nudge was not typed: not ready: %s: %w", name, w.last, context.Cause(ctx))
		}
	}
}

// waiter watches one agent.
type waiter struct {
	*runtime
	order
	name  string
	began time.Time
	pane  string // pane and process that it waits for, once one is there
	seen  prompt.Observation
	last  prompt.Verdict
}

// ready tells whether the agent is: two looks in a row must say so, and be the same.
func (w *waiter) ready(ctx context.Context) (bool, error) {
	b, err := w.boxes.find(w.name)
	if err != nil || b.ID != w.Box {
		return false, fmt.Errorf("session %q: its nudge was not typed: the box is gone", w.name)
	}
	reply, err := w.door().Run(ctx, w.name, lookScript)
	if errors.Is(err, box.ErrAbsent) && w.pane == "" {
		return false, nil // a provisioned box: its agent is yet to come
	}
	if errors.Is(err, box.ErrUnavailable) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	who, screen, _ := strings.Cut(string(reply.Output), "\n")
	o, err := prompt.ParseObservation(screen)
	if err != nil {
		return false, fmt.Errorf("session %q: %w", w.name, err)
	}
	if w.pane == "" {
		w.pane = who
	}
	if w.pane != who || o.Dead {
		return false, fmt.Errorf("session %q: its nudge was not typed: the agent has ended", w.name)
	}
	v := prompt.Classify(o, prompt.Options{ReadyPrompt: w.Ready})
	same := prompt.Unchanged(w.seen, o, w.last, v)
	was := w.willing(w.last)
	w.seen, w.last = o, v
	return same && was && w.willing(v), nil
}

// willing: the screen says so; or nothing is known of this agent's screens, and the
// start config gives a time instead of a prompt.
func (w *waiter) willing(v prompt.Verdict) bool {
	if v.Kind == prompt.Idle {
		return true
	}
	return v.Kind == prompt.Unknown && w.Ready == "" && w.DelayMS > 0 &&
		time.Since(w.began) >= time.Duration(w.DelayMS)*time.Millisecond
}
