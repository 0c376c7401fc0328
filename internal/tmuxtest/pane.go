package tmuxtest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gastownhall/tmux-carrier/internal/agent"
)

const (
	// patience is how long a Wait waits: many times what a loaded machine needs.
	patience = 20 * time.Second
	// commandTimeout bounds one tmux command: a stopped server answers nothing.
	commandTimeout = 10 * time.Second
)

// Try runs one tmux command and returns its output, standard error included.
func (p *Pane) Try(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), commandTimeout)
	defer cancel()
	out, err := p.command(ctx, append([]string{"tmux", "-u"}, args...)).CombinedOutput()
	return string(out), err
}

// Tmux runs one tmux command, which must succeed, and returns its output
// without the last newline.
func (p *Pane) Tmux(args ...string) string {
	p.t.Helper()
	out, err := p.Try(args...)
	if err != nil {
		p.t.Fatalf("tmux %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSuffix(out, "\n")
}

// target names the pane wherever it has been moved to.
func (p *Pane) target() string { return p.ID }

// Screen is what the pane shows.
func (p *Pane) Screen() string {
	p.t.Helper()
	return p.Tmux("capture-pane", "-p", "-t", p.target())
}

// Format expands a tmux format for the pane.
func (p *Pane) Format(format string) string {
	p.t.Helper()
	return p.Tmux("display-message", "-p", "-t", p.target(), format)
}

// Type types text as a person would, key by key to the agent but in one go.
func (p *Pane) Type(text string) {
	p.t.Helper()
	p.Tmux("send-keys", "-l", "-t", p.target(), "--", text)
}

// Paste pastes text in brackets, as a person's terminal would.
func (p *Pane) Paste(text string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), commandTimeout)
	defer cancel()
	cmd := p.command(ctx, []string{
		"tmux", "load-buffer", "-b", "tmuxtest", "-", ";",
		"paste-buffer", "-p", "-r", "-d", "-b", "tmuxtest", "-t", p.target(),
	})
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("tmux paste-buffer: %v: %s", err, out)
	}
}

// Enter presses Enter and waits for what becomes of it in the agent's log.
func (p *Pane) Enter() {
	p.t.Helper()
	seen := len(p.Log())
	p.Press("Enter")
	p.Wait("the Enter takes effect", func() bool {
		log := p.Log()[seen:]
		i := slices.IndexFunc(log, func(e agent.Entry) bool { return e.Read != nil && strings.Contains(string(*e.Read), "\r") })
		return i >= 0 && i+1 < len(log) // the agent logs the effect right behind the read
	})
}

// Submit presses Enter until the agent has taken one message more, and returns
// it: an Enter in a burst is a newline, which the agent drops at the end. Each
// Enter waits for what became of the last one: one too many would answer a
// dialog that the message brings up.
func (p *Pane) Submit() string {
	p.t.Helper()
	n := len(p.Log().Submitted())
	for range 50 {
		p.Enter()
		if all := p.Log().Submitted(); len(all) > n {
			return all[n]
		}
	}
	p.t.Fatalf("no Enter submits the draft\n%s\n%s", p.Screen(), p.logTail())
	return ""
}

// Press presses keys, in tmux's names.
func (p *Pane) Press(keys ...string) {
	p.t.Helper()
	p.Tmux(append([]string{"send-keys", "-t", p.target()}, keys...)...)
}

// LogPath is where the demo agent logs.
func (p *Pane) LogPath() string { return filepath.Join(p.dir, "agent.log") }

// Log is what the demo agent logged so far.
func (p *Pane) Log() agent.Log {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	log, err := p.log.Read()
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		p.t.Fatal(err)
	}
	return log
}

// Wait waits until ok; what says for what. When it gives up, it prints the
// screen and the end of the agent's log.
func (p *Pane) Wait(what string, ok func() bool) {
	p.t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			screen, err := p.Try("capture-pane", "-p", "-t", p.target())
			if err != nil {
				screen += err.Error()
			}
			p.t.Fatalf("gave up waiting: %s\n--- screen\n%s\n--- log\n%s", what, strings.TrimRight(screen, "\n"), p.logTail())
		}
	}
}

// WaitScreen waits until the pane shows text.
func (p *Pane) WaitScreen(text string) {
	p.t.Helper()
	p.Wait("the screen shows "+text, func() bool { return strings.Contains(p.Screen(), text) })
}

// WaitEvent waits until an event of the agent's log starts with prefix.
func (p *Pane) WaitEvent(prefix string) {
	p.t.Helper()
	p.Wait("event "+prefix, func() bool { return p.Log().Count(prefix) > 0 })
}

// WaitSubmitted waits until the agent took n messages, and returns them.
func (p *Pane) WaitSubmitted(n int) []string {
	p.t.Helper()
	p.Wait("messages submitted", func() bool { return len(p.Log().Submitted()) >= n })
	return p.Log().Submitted()
}

// logTail is the end of the log, each entry cut to a readable length.
func (p *Pane) logTail() string {
	data, err := os.ReadFile(p.LogPath())
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	lines = slices.Clone(lines[max(0, len(lines)-20):])
	for i, l := range lines {
		if len(l) > 300 {
			lines[i] = l[:300] + "…"
		}
	}
	return strings.Join(lines, "\n")
}
