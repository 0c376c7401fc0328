package nudge

import (
	"context"
	"slices"
	"strings"

	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/prompt"
)

// looksFirst tells the script when to show the composer before anything is typed.
func (d *delivery) looksFirst() string {
	switch {
	case d.looked || d.message.Draft == DraftAppend:
		return "never"
	case d.message.Draft == DraftAuto:
		return "attached"
	default:
		return "always"
	}
}

// judgeDraft looks at what the script showed instead of typing. Text that is not
// ours refuses the message, or is cleared first.
func (d *delivery) judgeDraft(ctx context.Context, s said) error {
	d.looked = true
	if s.seen == nil {
		return d.door.Outage(ctx, d.receipt.Session, "nudge: the composer was not shown")
	}
	for tries := 0; drafted(*s.seen, d.message.Agent); tries++ {
		if d.message.Draft != DraftClear || tries > 1 {
			return &fence.RefusedError{Session: d.receipt.Session, Reason: fence.Draft, Detail: "text that is not ours stands in the composer"}
		}
		// C-u clears one line. C-c would clear all, and end Codex and OpenCode if the
		// composer were emptied meanwhile.
		lines := strings.Count(s.seen.Screen, "\n") + 1
		pressed, err := press(ctx, d.door, d.receipt.Session, d.message.Fence, "",
			[]choice{{keys: slices.Repeat([]string{"C-u"}, min(2*lines, 40)), times: 1}})
		d.receipt.Execs += pressed.Execs
		if err != nil {
			return err
		}
		if pressed.Seen == nil {
			return d.door.Outage(ctx, d.receipt.Session, "nudge: the composer was not shown")
		}
		s.seen = pressed.Seen
	}
	return nil
}

func drafted(o prompt.Observation, agent string) bool {
	v := prompt.Classify(o, prompt.Options{Agent: agent})
	return v.Kind == prompt.Draft || v.Text != ""
}
