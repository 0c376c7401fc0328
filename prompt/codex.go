package prompt

import (
	"strings"
	"time"
)

// Codex. While an answer streams, nothing on the screen shows it: 53 of 57 pairs of
// frames 200 ms apart were identical and without a sign. Only the title does, by a
// braille spinner in front; so a Codex screen without its title is unknown.
//
// It draws its prompt 0.65 s after exec, before the session exists; the footer
// has no row with model and directory then, and an Enter can be swallowed.
var codex = Profile{
	Name:     "codex",
	Versions: []string{"0.171.0"},
	Commands: []string{"codex"},
	Titled: func(title string) bool {
		return strings.Contains(title, "] Action Required | ")
	},
	Marks: []string{"OpenAI Codex", "tell Codex", "Ask Codex"},
	Drawn: begins("› "),

	Composer: Composer{
		Shapes:       []Shape{Bare},
		Prompts:      []string{"›"},
		Modes:        []string{"!"},
		Placeholders: []string{"Ask Codex to do anything"},
		Cursor:       true,
	},
	Dialogs: []Sign{
		{Name: "permission", At: Title, Match: has("Action Required")},
		{Name: "menu", At: Below, Match: keyed("esc cancel"), Over: true},
	},
	Busy: []Sign{
		{Name: "spinner in the title", At: Title, Match: braille},
		{Name: "running clock above the composer", At: Above, Margin: true, Match: all(led("•◦"), timed)},
		{Name: "blinking bullet above the composer", At: Above, Margin: true, Match: led("◦")},
	},
	Queued:   []Sign{{Name: "queued message", At: Above, Margin: true, Match: begins("• Queued ")}},
	Starting: []Sign{{Name: "footer without model and directory", At: Under, Match: func(row string) bool { return row == "? for shortcuts" }}},
	Message:  []string{"›"},
	Answered: []Sign{{Name: "end of a turn", Match: begins("Worked for ")}},

	TitleTells: true,

	Submit:    []string{"Enter"}, // while busy it steers: the running answer is given up
	Interrupt: []string{"Escape"},
	// 20 ms: 9 of 10 swallowed; 50 ms: none, up to 1 MiB.
	Settle:  Settle{Base: 200 * time.Millisecond, PerMiB: 300 * time.Millisecond},
	Leading: "!/", // ? only where it is typed; blanks in front are stripped, and shield nothing
}
