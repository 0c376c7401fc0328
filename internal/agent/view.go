package agent

import (
	"fmt"
	"strings"
	"time"
)

var (
	starSpinner    = []rune("·✢✳✶✻✽")
	brailleSpinner = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
)

// busy reports whether the busy sign is due.
func (a *agent) busy(now time.Time) bool {
	return a.turn != nil && !now.Before(a.turn.signAt)
}

func (a *agent) titleNow() string {
	if a.opts.Title != "" && a.turn != nil {
		return string(brailleSpinner[a.spins%len(brailleSpinner)]) + " " + a.opts.Title
	}
	return a.opts.Title
}

// frame is what is drawn below the transcript.
func (a *agent) frame(now time.Time) frame {
	width := a.term.width
	if a.dialog != nil {
		rows := a.dialog.draw(width)
		return frame{rows: rows, row: len(rows) - 1}
	}
	var f frame
	for _, text := range a.queue[max(0, len(a.queue)-3):] {
		shown, _, _ := strings.Cut(text, "\n")
		f.rows = append(f.rows, block(a.opts.Prompt, shown[:min(len(shown), width)], width)[0], "  ⎿  Queued", "")
	}
	if sign := a.sign(now); sign != "" {
		f.rows = append(f.rows, sign, "")
	}
	f.rows = append(f.rows, rule(width))
	draft, col := a.draft()
	f.rows = append(f.rows, draft...)
	f.row, f.col = len(f.rows)-1, col
	f.rows = append(f.rows, rule(width), a.footer(now))
	return f
}

// sign is the busy line above the composer.
func (a *agent) sign(now time.Time) string {
	if !a.busy(now) {
		return ""
	}
	seconds := int(now.Sub(a.turn.start).Seconds())
	star := string(starSpinner[a.spins%len(starSpinner)])
	switch a.opts.BusySign {
	case "footer":
		return fmt.Sprintf("%s Churning… (%ds · ↓ %d tokens)", star, seconds, 7*a.spins)
	case "above":
		return fmt.Sprintf("%s Working… (%ds · esc to interrupt)", star, seconds)
	}
	return ""
}

// draft is the composer's rows, and the cursor's column in the last of them.
func (a *agent) draft() (rows []string, col int) {
	width, prompt := a.term.width, a.opts.Prompt
	if a.composer.empty() {
		row := prompt
		if a.opts.Placeholder != "" {
			row += dim(printable(a.opts.Placeholder))
		}
		return []string{row}, widths.StringWidth(prompt)
	}
	limit := max(a.term.height/2, 1)
	tail, cut := a.composer.tail(limit * width * 4)
	rows = block(prompt, string(tail), width)
	if cut || len(rows) > limit {
		rows = rows[max(0, len(rows)-limit):]
		rows[0] = prompt + "…"
	}
	return rows, widths.StringWidth(rows[len(rows)-1])
}

func (a *agent) footer(now time.Time) string {
	const mode = "  ⏸ manual mode on"
	switch {
	case a.hint != "":
		return "  " + a.hint
	case a.turn == nil && a.composer.empty():
		return mode + " · ? for shortcuts"
	case a.busy(now) && a.opts.BusySign == "footer" && a.composer.empty():
		return mode + " · esc to interrupt"
	}
	return mode
}
