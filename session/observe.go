package session

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/carrier"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/internal/pane"
	"github.com/gastownhall/tmux-carrier/prompt"
)

var (
	//go:embed observe.sh
	observeSource string
	observeScript = box.NewScript("observe", pane.Find, pane.See, observeSource)
)

// Observe takes all that tmux knows of the agent pane at one moment, by one exec.
// Where the runtime has no exec, the screen alone comes, from its own peek.
func Observe(ctx context.Context, c *carrier.Carrier, name string) (prompt.Observation, error) {
	door := c.Door()
	reply, err := door.Run(ctx, name, observeScript, fence.OptionIn(ctx, door))
	if errors.Is(err, box.ErrExecUnsupported) {
		screen, err := c.Session(name).Peek(ctx, carrier.View{})
		return prompt.Observation{Screen: screen}, err
	}
	if err != nil {
		return prompt.Observation{}, err
	}
	seen, err := prompt.ParseObservation(string(reply.Output))
	if err != nil {
		return seen, door.Outage(ctx, name, fmt.Sprintf("observe: %v", err))
	}
	return seen, nil
}
