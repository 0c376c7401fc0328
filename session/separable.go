package session

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/internal/pane"
)

// Provision makes the session's box without an agent. A session that runs is
// rpp.ErrExists. No stop follows a failure: undoing is the runtime's part (SES-2).
func Provision(ctx context.Context, o Options) error {
	l, err := begin(ctx, o)
	if err != nil {
		return err
	}
	return l.provision(ctx)
}

func (l *life) provision(ctx context.Context) error {
	handled, err := l.Runtime.Provision(ctx, l.Name, l.Config)
	if err == nil && !handled {
		err = fmt.Errorf("provision %q: the runtime has no such operation", l.Name)
	}
	return err
}

// Launch launches the agent in a provisioned box, and stops the box if that fails. Of
// Config only the command, the ready prompt, the lifecycle and the dialogs count: the
// environment and the directory are the box's since Provision.
func Launch(ctx context.Context, o Options) (Result, error) {
	l, err := begin(ctx, o)
	if err != nil {
		return l.result, l.tearDown(ctx, err)
	}
	return l.launchNew(ctx)
}

func (l *life) launchNew(ctx context.Context) (Result, error) {
	err := l.launch(ctx, true)
	if err == nil {
		l.awaitProcesses(ctx)
		err = l.startupDialogs(ctx)
	}
	if err != nil {
		return l.result, l.undo(ctx, before{}, err)
	}
	return l.result, nil
}

// Relaunch replaces the agent in a warm box by Config.Command, in the same pane, and
// its fence with it: the old one is gone before the new process can read. A failure
// stops nothing; the box is whose it was. A blank ready prompt leaves the stored one.
//
// A new incarnation needs a new token: one that the pane's fence has already (the same
// identity in Config.Env, say) is ErrTokenInUse, and nothing was done.
func Relaunch(ctx context.Context, o Options) (Result, error) {
	l, err := begin(ctx, o)
	if err == nil {
		err = l.launch(ctx, false)
	}
	if err == nil {
		err = l.startupDialogs(ctx)
	}
	return l.result, err
}

var (
	//go:embed start.sh
	startSource string
	//go:embed launch.sh
	launchSource string
	//go:embed agent.sh
	agentSource  string
	launchScript = box.NewScript("launch", pane.Find, startSource, launchSource)
	agentScript  = withoutComments(agentSource)
)

// withoutComments keeps the commands of a script: it is an argument of tmux's, which
// takes 16 KiB of them.
func withoutComments(source string) string {
	var b strings.Builder
	for line := range strings.Lines(source) {
		if !strings.HasPrefix(line, "#") {
			b.WriteString(line)
		}
	}
	return b.String()
}
