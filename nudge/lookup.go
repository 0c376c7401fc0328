package nudge

import (
	"context"
	"errors"
	"strings"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
)

// Lookup asks the agent pane what it remembers of a message: Submitted, Typed (its
// Enter is wanting), or Unknown. One exec.
func Lookup(ctx context.Context, door box.Door, session, id string) (Receipt, error) {
	r := Receipt{Session: session, ID: id, Stage: Unknown, Confirmed: Unconfirmed, Execs: 1, Brackets: "unknown"}
	if id == "" {
		return r, errors.New("a message ID is wanted")
	}
	reply, err := door.Run(ctx, session, receiptScript, fence.OptionIn(ctx, door), fingerprint(id))
	if err != nil {
		return r, err
	}
	said, ok := strings.CutSuffix(string(reply.Output), "end\n")
	if !ok {
		return r, door.Outage(ctx, session, "receipt: an answer without its end")
	}
	if line := strings.TrimSpace(said); strings.HasPrefix(line, "entry ") {
		r.Stage = Submitted
		if strings.HasSuffix(line, "t") {
			r.Stage = Typed
		}
	}
	return r, nil
}
