package prompt

import (
	"strings"
	"time"
)

// Claude Code. From 2.1 on it draws on the alternate screen, its prompt is ❯, and its
// busy sign stands in the footer; before, its prompt was > and the sign stood above
// the composer. NBSP follows the prompt in all of them. A draft in the composer
// takes `esc to interrupt` out of the footer while the turn goes on; then the
// spinner above the composer tells.
var claude = Profile{
	Name:     "claude",
	Versions: []string{"2.1.332", "1.0.128"},
	Commands: []string{"claude"},
	Titled: func(title string) bool {
		return strings.HasPrefix(title, "✳ ") || strings.HasSuffix(title, "Claude Code")
	},
	Marks: []string{"Claude Code", "tell Claude", "Do you want to proceed?"},
	Drawn: begins("❯"+nbsp, ">"+nbsp),

	Composer: Composer{
		Shapes:  []Shape{Ruled, Boxed},
		Prompts: []string{"❯", ">"},
		Modes:   []string{"!", "#", "&"},
		// The suggestion of a first prompt, in quotes.
		Placeholders: []string{`Try "`, "Press up to edit queued messages"},
	},
	Busy: []Sign{
		{Name: "interrupt hint in the footer", At: Below, Match: hint("esc to interrupt")},
		{Name: "spinner above the composer", At: Above, Margin: true, Match: spinning},
		{Name: "running clock above the composer", At: Above, Margin: true, Match: all(led(spinners), either(timed, hint("esc to interrupt")))},
		{Name: "retry above the composer", At: Above, Margin: true, Match: all(led(spinners), has("· retrying in", "Retrying in", " · attempt "))},
		{Name: "waiting for a background agent", At: Above, Margin: true, Match: all(led(spinners), has(" Waiting for ", " waiting for "))},
		{Name: "tool without a result", At: Above, Match: func(row string) bool {
			rest, ok := lead(row, "⎿")
			return ok && (rest == "Running…" || rest == "Waiting…")
		}},
	},
	Queued: []Sign{
		{Name: "queued message", At: Above, Match: all(led("⎿"), has(" Queued ·"))},
		{Name: "queued message", At: In, Match: has("Press up to edit queued messages")},
	},
	// The logo moves for the first second; the prompt is there already.
	Starting: []Sign{{Name: "the logo is moving", At: Screen, Match: begins("▗▟▛███▛█▄", "▜██████▘")}},
	// In a pane of 20 columns: `⏵⏵ accept edits on…`.
	Cut: []Sign{{Name: "the footer is cut off behind the mode", At: Below, Match: func(row string) bool {
		return strings.HasSuffix(row, "…") && strings.Contains(row, " on") && !strings.ContainsAny(row, "·(")
	}}},
	Message:  []string{"❯", ">", "!"},
	Answered: []Sign{{Name: "result", Match: led("⎿")}},

	Submit:    []string{"Enter"},
	Interrupt: []string{"Escape"}, // 2.0 and 1.0 take no C-c
	// One list: 0 of 10 swallowed in 2.1.332 but 5 of 5 in 2.0.53; two execs, 0 of 5.
	// A frozen or loaded agent defeats any gap.
	Settle:    Settle{Base: 100 * time.Millisecond, PerMiB: 300 * time.Millisecond},
	Backslash: true,
	Leading:   "!/#", // # in 1.0
	Shield:    " ",   // arrives with the text; that it shields is not measured
}
