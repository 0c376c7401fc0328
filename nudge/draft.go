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
		return "auto"
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
	for tries := 0; ; tries++ {
		there, known := drafted(*s.seen, d.message.Agent)
		switch {
		case known && !there, !known && d.message.Draft == DraftAuto:
			return nil
		case !known:
			return d.drafted("whether text stands in the composer cannot be told")
		case d.message.Draft != DraftClear || tries > 1:
			return d.drafted("text that is not ours stands in the composer")
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
}

func (d *delivery) drafted(why string) error {
	return &fence.RefusedError{Session: d.receipt.Session, Reason: fence.Draft, Detail: why}
}

// drafted tells whether text stands in the composer, if that can be told. A dialog hides
// the composer; the guard judges that.
func drafted(o prompt.Observation, agent string) (there, known bool) {
	v := prompt.Classify(o, prompt.Options{Agent: agent})
	return v.Kind == prompt.Draft || v.Text != "", v.Kind != prompt.Unknown
}
