package tmuxbox

import (
	"context"
	_ "embed"
	"fmt"
	"syscall"
	"time"
)

var (
	//go:embed attach.sh
	attachScript string
	//go:embed detach.sh
	detachScript string
)

// attach gives the terminal to a tmux client until it detaches. A dead agent's last
// screen is worth a look too.
func (r *runtime) attach(ctx context.Context, name string) error {
	b, _, err := r.find(ctx, name)
	if err != nil {
		return err
	}
	note := r.Engine.Inside(b) + "/attached-" + newID()
	cmd := r.Engine.Terminal(ctx, b, "sh", "-c", attachScript, "attach", note)
	// Asked to end, a tmux client leaves the terminal as it found it (RPP-14).
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = time.Second
	err = cmd.Run()

	// The client of a container outlives the docker command that lent it a terminal:
	// somebody would be attached for ever (RPP-10).
	clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_, _ = r.run(clean, b, "", "sh", "-c", detachScript, "detach", note)
	if err != nil {
		return fmt.Errorf("session %q: attach: %w", name, err)
	}
	return nil
}
