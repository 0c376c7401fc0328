package session

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/internal/pane"
)

// ErrTokenInUse: the pane's fence has this token already, so the new incarnation would
// take the input that is meant for the old one. Raise GC_RUNTIME_EPOCH, or name another.
var ErrTokenInUse = errors.New("the fence has this token already")

// maxArgument is how long a command may be that goes to tmux as an argument.
const maxArgument = 12 << 10

// launch runs the agent over exec, in one list with its fence.
func (l *life) launch(ctx context.Context, blankPrompt bool) error {
	command := strings.TrimSpace(l.Config.Command)
	if command == "" {
		return fmt.Errorf("session %q: launch: no command was given", l.Name)
	}
	if strings.HasSuffix(command, ";") {
		command += " " // tmux reads a ; at the end of an argument as its own
	}
	file := ""
	if len(command) > maxArgument {
		file = rand.Text()
	}
	prompt := ""
	if blankPrompt || l.Config.ReadyPromptPrefix != "" {
		prompt = l.readyPrompt()
	}
	reply, err := l.door().Run(ctx, l.Name, launchScript, l.option(), string(l.token), prompt,
		l.first().Arg(), l.again().Arg(), agentScript, pane.Program(command), command, file)
	return l.judge(ctx, "launch", reply, err)
}

// agentWords are what a pane runs; the script fills them in.
var agentWords = pane.Command{"--", "sh", "-c", "@AGENT@", "agent", "@PROGRAM@", "@COMMAND@", "@FILE@"}

// The size of a screen that nobody has attached to.
const width, height = "200", "50"

// first is the list for a box without session main.
func (l *life) first() pane.List {
	const target = "=main:"
	start := pane.Command{"new-session", "-d", "-s", "main", "-x", width, "-y", height, "-P", "-F", "launched #{pane_id} "}
	list := pane.List{
		append(start, agentWords...),
		{"set-option", "-p", "-t", target, "remain-on-exit", "on"},
	}
	return append(list, l.bound(target, "#{pane_pid}")...)
}

// again is the list for a pane that is there. The old fence goes before the new
// process is born, and nobody comes in between.
func (l *life) again() pane.List {
	list := pane.List{{"has-session", "-t", pane.Target}}
	if l.token != "" {
		for _, c := range fence.Set(l.token, pane.Target, "") {
			list = append(list, pane.Command{"set-option", "-pu", "-t", pane.Target, c[4]})
		}
	}
	list = append(list,
		append(pane.Command{"respawn-pane", "-k", "-t", pane.Target}, agentWords...),
		pane.Command{"set-option", "-p", "-t", pane.Target, "remain-on-exit", "on"},
		pane.Say("launched #{pane_id} "))
	// tmux 3.0 and 3.1 expand -F for the active pane of the window: ours is picked.
	return append(list, l.bound(pane.Target, "#{P:#{?#{==:#{pane_id},"+pane.ID+"},#{pane_pid},}}")...)
}

// bound sets the fence, bound to a process whose id only the server knows yet, and says
// what holds then.
func (l *life) bound(target, pid string) pane.List {
	if l.token == "" {
		return nil
	}
	list := fence.Set(l.token, target, pid)
	for _, c := range list {
		if c[1] == "-p" {
			c[1] = "-pF"
		}
	}
	return append(list, pane.Command{"display-message", "-p", "-t", target, sayFence})
}

const sayFence = "fence #{" + fence.Option + "}"

func (l *life) option() string {
	if l.fenced {
		return fence.Option
	}
	return ""
}
