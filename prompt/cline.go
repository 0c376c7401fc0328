package prompt

import "time"

// Cline. That it works shows at the head of the last block alone, a braille spinner in
// place of the bullet; a long answer scrolls that away, and then nothing tells.
// C-c ends the program.
var cline = Profile{
	Name:     "cline",
	Versions: []string{"3.0.65"},
	Commands: []string{"cline"},
	Titled:   func(title string) bool { return title == "Cline" },
	Marks:    []string{"○ Plan ● Act", "● Plan ○ Act", "Auto-approve all "},

	Composer: Composer{
		Shapes:       []Shape{Ruled},
		Prompts:      []string{"❯"},
		Placeholders: []string{"Ask anything...", "What can I do for you?"},
		Cursor:       true,
	},
	Dialogs: []Sign{
		{Name: "permission", Match: has("[y] Approve   [n] Deny")},
		{Name: "question", Match: begins("Cline is asking a question")},
	},
	Busy: []Sign{
		{Name: "spinner at the head of the answer", At: Above, Match: braille},
	},
	Queued:   []Sign{{Name: "queued message", At: Above, Match: begins("Queued messages:")}},
	Message:  []string{"❯"},
	Answered: nil,
	Heads:    1,
	Headed:   true,
	Home:     "What can I do for you?",

	Submit:    []string{"Enter"},
	Interrupt: []string{"Escape"},
	Settle:    Settle{Base: 200 * time.Millisecond, PerMiB: 500 * time.Millisecond}, // not measured
	Leading:   "!/",
}
