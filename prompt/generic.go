package prompt

import "time"

// Generic is an agent that nothing is known of: the plain rule, made safe. It is idle
// if the ready prompt stands in the live region with nothing behind it, or only
// behind the cursor, and no sign of work that any agent draws stands there.
var Generic = &Profile{
	Name: "generic",
	Composer: Composer{
		Shapes:  []Shape{Ruled, Boxed, Loose},
		Prompts: []string{"❯"}, // or the session's own
		Reach:   8,
	},
	Busy: []Sign{
		{Name: "interrupt hint", At: Below, Match: workHint},
		{Name: "interrupt hint", At: Above, Match: all(workHint, either(led(spinners), braille, led("•◦"), begins("(")))},
		{Name: "running clock", At: Below, Match: timed},
		{Name: "running clock", At: Above, Match: all(timed, either(led(spinners), braille, led("•◦"), begins("(")))},
		{Name: "spinner", At: Above, Match: either(braille, spinning)},
		{Name: "spinner", At: Below, Match: either(braille, spinning, begins("■", "⬝"))},
		{Name: "spinner in the title", At: Title, Match: braille},
	},
	Queued:   []Sign{{Name: "queued message", At: Above, Match: all(led("⎿└"), has(" Queued", "[pending"))}},
	Answered: []Sign{{Name: "result", Match: led("⎿└")}},

	Submit:    []string{"Enter"},
	Interrupt: []string{"C-c"},
	// The slowest of those that were measured, for nothing is known: Gemini's.
	Settle: Settle{Base: 300 * time.Millisecond, PerMiB: 3500 * time.Millisecond},
}

var workHint = either(hint("esc to interrupt"), hint("esc to cancel"), has("esc interrupt", "esc esc", "ctrl+c to stop", "ctrl+c to interrupt", "ctrl+c to cancel"))
