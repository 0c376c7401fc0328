package agent

// A dialog takes the place of the composer. Text for it is dropped, Enter
// picks the highlighted option: measured on Claude Code 2.1.332, 6 of 6.
type dialog struct {
	name    string
	lines   []string
	options []string
	at      int // the highlighted option
	footer  string
	cancel  int // the option that Escape and C-c pick
}

func permissionDialog() *dialog {
	return &dialog{
		name:    "permission",
		lines:   []string{" Bash command", "", "   touch x1", "   Run a command", "", " Do you want to proceed?"},
		options: []string{"1. Yes", "2. No"},
		footer:  " Esc to cancel · Tab to amend",
		cancel:  1,
	}
}

// trustDialog highlights the refusal, as Claude Code 2.1.332 does: there, an
// Enter ends the agent.
func trustDialog() *dialog {
	return &dialog{
		name: "trust",
		lines: []string{
			" Accessing workspace:", "",
			" Quick safety check: Is this a project you created or one you trust?", "",
		},
		options: []string{trustNo, "Yes, I trust this folder"},
		footer:  " Enter to confirm · Esc to cancel",
	}
}

// menuDialog is what Codex asks on C-c during a turn.
func menuDialog() *dialog {
	return &dialog{
		name:    "menu",
		lines:   []string{" A task is running."},
		options: []string{menuCancel, "2. Run in background", menuExit},
		footer:  " Press enter to confirm or esc to go back",
		cancel:  1,
	}
}

const (
	trustNo    = "No, exit"
	menuCancel = "1. Cancel task"
	menuExit   = "3. Exit"
)

// key handles k; picked is the option that it settled on, or -1.
func (d *dialog) key(k key) (picked int) {
	switch k.kind {
	case keyEnter:
		return d.at
	case keyEscape, keyInterrupt:
		return d.cancel
	case keyUp:
		d.at = max(d.at-1, 0)
	case keyDown:
		d.at = min(d.at+1, len(d.options)-1)
	case keyText:
		// One digit alone picks at once (Codex, Gemini CLI, Copilot CLI).
		if len(k.text) == 1 {
			for i, o := range d.options {
				if o[0] == k.text[0] && o[0] >= '1' && o[0] <= '9' {
					return i
				}
			}
		}
	}
	return -1
}

func (d *dialog) draw(width int) []string {
	lines := []string{rule(width)}
	lines = append(lines, d.lines...)
	for i, o := range d.options {
		mark := "   "
		if i == d.at {
			mark = " ❯ "
		}
		lines = append(lines, mark+o)
	}
	return append(lines, "", d.footer)
}
