package prompt

import (
	"strings"
	"time"
)

// GitHub Copilot CLI. It works as long as the footer begins with a round glyph; its
// hints change from one moment to the next.
var copilot = Profile{
	Name:     "copilot",
	Versions: []string{"1.0.102"},
	Commands: []string{"copilot"},
	Titled:   func(title string) bool { return strings.HasSuffix(title, "GitHub Copilot") },
	Marks:    []string{"tell Copilot", "GitHub Copilot", "← open sidebar", "· Manual Approval ·", " esc esc ", " · / commands · ? help"},

	Composer: Composer{
		Shapes:           []Shape{Ruled},
		Prompts:          []string{"❯"},
		Modes:            []string{"!"},
		ModePlaceholders: []string{"Execute shell command"},
		Cursor:           true,
	},
	Busy: []Sign{
		{Name: "round spinner in the footer", At: Below, Match: led(rounds)},
		{Name: "interrupt hint in the footer", At: Below, Match: has("esc esc", "esc again to interrupt", "Cancelling")},
	},
	Queued:   []Sign{{Name: "queued message", At: Above, Match: all(led("└"), has("[pending"))}},
	Message:  []string{"❯"},
	Answered: []Sign{{Name: "answer", Match: led("●✗$└")}, {Name: "thought", Match: begins("❯ Thought for ")}},
	Heads:    1,
	OnTop:    1, // the directory

	Submit:    []string{"Enter"},
	Interrupt: []string{"Escape", "Escape"},
	Between:   200 * time.Millisecond,
	Settle:    Settle{Base: 200 * time.Millisecond, PerMiB: 500 * time.Millisecond}, // not measured
	Leading:   "!/?",
}
