package prompt

import (
	"strings"
	"time"
)

// Qwen Code, a relative of Gemini CLI of 2025: the composer is a box, the title a
// constant, and an Escape puts the message back into the composer.
var qwen = Profile{
	Name:     "qwen",
	Versions: []string{"0.1.4"},
	Commands: []string{"qwen"},
	Titled:   func(title string) bool { return strings.HasPrefix(title, "Qwen - ") },
	Marks:    []string{"Qwen Code", "QWEN.md", "no sandbox (see /docs)"},

	Composer: Composer{
		Shapes:       []Shape{Boxed},
		Prompts:      []string{">", "*"},
		Modes:        []string{"!"},
		Placeholders: []string{"Type your message"},
	},
	Busy: []Sign{
		{Name: "spinner above the composer", At: Above, Match: braille},
		{Name: "running clock above the composer", At: Above, Match: all(begins("("), timed)},
	},
	Message:  []string{">"},
	Answered: []Sign{{Name: "notice", Match: led("ℹ✕✦")}},
	Heads:    1,
	Near:     5,

	Submit:    []string{"Enter"},
	Interrupt: []string{"Escape"},
	Settle:    Settle{Base: 300 * time.Millisecond, PerMiB: 3500 * time.Millisecond}, // Gemini's
	Backslash: true,                                                                  // Gemini's
	Leading:   "!/?",
}
