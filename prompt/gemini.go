package prompt

import (
	"strings"
	"time"
)

// Gemini CLI. Its title says Ready, Working or Action Required; titles can be turned
// off, so the screen decides alone where there is none.
var gemini = Profile{
	Name:     "gemini",
	Versions: []string{"0.61.0"},
	Commands: []string{"gemini"},
	Titled: func(title string) bool {
		return strings.HasPrefix(title, "◇  ") || strings.HasPrefix(title, "✦  ") || strings.HasPrefix(title, "✋  ")
	},
	Marks: []string{"Gemini CLI", "GEMINI.md", "workspace (/directory)"},

	Composer: Composer{
		Shapes:           []Shape{Inset, Boxed},
		Prompts:          []string{">", "*"}, // * in YOLO mode
		Modes:            []string{"!"},
		Placeholders:     []string{"Type your message"},
		ModePlaceholders: []string{"Type your shell command"},
		Cursor:           true,
	},
	Dialogs: []Sign{{Name: "permission", At: Title, Match: has("Action Required")}},
	Busy: []Sign{
		{Name: "title says working", At: Title, Match: begins("✦")},
		{Name: "spinner above the composer", At: Above, Match: braille},
		{Name: "running clock above the composer", At: Above, Match: all(begins("("), timed)},
	},
	Queued:   []Sign{{Name: "queued message", At: Above, Match: begins("Queued (press ")}},
	Message:  []string{">"},
	Answered: []Sign{{Name: "notice", Match: led("ℹ✕✦")}},
	Heads:    1,
	Near:     5,

	Submit:    []string{"Enter"},
	Interrupt: []string{"Escape"},
	// One line: 20 ms 10 of 10 swallowed, 50 ms none; ten lines, 50 ms 1 of 10;
	// 100 KiB, 200 ms 4 of 4, 500 ms none; 1 MiB, 2 s 1 of 2.
	Settle:    Settle{Base: 300 * time.Millisecond, PerMiB: 3500 * time.Millisecond},
	Backslash: true,
	Leading:   "/", // a pasted ! arrives as text
}
