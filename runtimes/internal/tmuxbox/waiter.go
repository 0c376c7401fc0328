package tmuxbox

import (
	"cmp"
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
	waiterAttempt  = time.Minute // for a box that hangs
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
	w := waiter{runtime: r, name: name, order: o, began: time.Now(), message: nudge.Message{Text: text, ID: nudge.NewID()}}
	for {
		if done, err := w.try(ctx); done {
			return err
		}
		if !sleep(ctx, waiterInterval) {
			return fmt.Errorf("session %q: its nudge was not typed: %s: %w", name, w.last, cmp.Or(w.failed, context.Cause(ctx)))
		}
	}
}

// waiter watches one agent.
type waiter struct {
	*runtime
	order
	name    string
	began   time.Time
	message nudge.Message
	begun   bool   // some of it may have gone in
	failed  error  // the last try to type it
	pane    string // pane and process that it waits for, once one is there
	seen    prompt.Observation
	last    prompt.Verdict
}

// try looks, and types if the agent is ready. It is done when the text is in, and when
// it must not go in any more.
func (w *waiter) try(ctx context.Context) (done bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, waiterAttempt)
	defer cancel()
	if ready, err := w.ready(ctx); err != nil || !ready {
		return err != nil, err
	}
	receipt, err := nudge.Deliver(ctx, w.door(), w.name, w.message)
	w.begun = w.begun || receipt.Stage != nudge.Nothing
	w.failed = err
	return err == nil || !again(err), err
}

// again: a dialog came up meanwhile, the box did not answer, the Enter is not in. The
// same ID once more does only what is missing. When the fence is another, the next look
// tells whether the agent is.
func again(err error) bool {
	var refused *fence.RefusedError
	var partial *nudge.PartialError
	return errors.As(err, &refused) || errors.As(err, &partial) || errors.Is(err, box.ErrUnavailable) ||
		errors.Is(err, fence.ErrStale) || errors.Is(err, fence.ErrUnset) || errors.Is(err, fence.ErrMoved)
}

// ready tells whether the agent is: two looks in a row must say so, and be the same.
func (w *waiter) ready(ctx context.Context) (bool, error) {
	b, err := w.boxes.find(w.name)
	if err != nil || b.ID != w.Box {
		return false, fmt.Errorf("session %q: its nudge was not typed: the box is gone", w.name)
	}
	reply, err := w.door().Run(ctx, w.name, lookScript, fence.OptionIn(ctx, w.door()))
	if errors.Is(err, box.ErrAbsent) && w.pane == "" {
		return false, nil // a provisioned box: its agent is yet to come
	}
	if errors.Is(err, box.ErrUnavailable) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	line, screen, _ := strings.Cut(string(reply.Output), "\n")
	who, value, _ := strings.Cut(line, " fence ")
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
	// Another agent may take the pane between this look and the typing. A pane that has
	// lost its fence is about to be another's.
	token, err := fence.ParseToken(value)
	lost := err != nil && w.message.Fence != ""
	if !lost {
		w.message.Fence = token
	}
	v := prompt.Classify(o, prompt.Options{ReadyPrompt: w.Ready})
	same := prompt.Unchanged(w.seen, o, w.last, v)
	was := w.willing(w.last)
	w.seen, w.last = o, v
	return same && was && w.willing(v) && !lost, nil
}

// willing: the screen says so; or nothing is known of this agent's screens, and the
// start config gives a time instead of a prompt.
func (w *waiter) willing(v prompt.Verdict) bool {
	switch {
	case v.Kind == prompt.Idle:
		return true
	case v.Kind == prompt.Draft && w.begun: // ours, without its Enter
		return true
	}
	return v.Kind == prompt.Unknown && w.Ready == "" && w.DelayMS > 0 &&
		time.Since(w.began) >= time.Duration(w.DelayMS)*time.Millisecond
}
