// Package nudge types a message into an agent's pane: Prepare makes the text safe
// to paste, Deliver puts it in and presses Enter, in one exec, and a Receipt says
// how far it came.
//
// Delivery has stages: the text is pasted, then, after the agent had time to take
// it, Enter is pressed, then the screen is looked at. Each stage is one guarded
// tmux command list that also writes the stage into the pane's journal, so that
// the same message can be sent again after any accident: what was done is not done
// twice (NUD-5). rc 0 of tmux proves nothing; only printed markers count.
package nudge
