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
		{Name: "interrupt hint", At: Above, Match: all(workHint, either(moving, led("•")))},
		{Name: "running clock", At: Below, Match: timed},
		{Name: "running clock", At: Above, Match: all(timed, either(moving, led("•")))},
		{Name: "spinner", At: Above, Match: either(braille, spinning)},
		{Name: "spinner", At: Below, Match: either(braille, spinning, begins("■", "⬝"))},
		{Name: "waiting", At: Above, Margin: true, Match: all(led(spinners), has("aiting for ", "etrying "))},
		{Name: "spinner in the title", At: Title, Match: braille},
	},
	Queued:   []Sign{{Name: "queued message", At: Above, Match: all(led("⎿└"), has(" Queued", "[pending"))}},
	Answered: []Sign{{Name: "result", Match: led("⎿└")}},
	Near:     12,

	Submit:    []string{"Enter"},
	Interrupt: []string{"C-c"},
	// The slowest of those that were measured, for nothing is known: Gemini's.
	Settle:  Settle{Base: 300 * time.Millisecond, PerMiB: 3500 * time.Millisecond},
	Leading: "!/?#@$",
}

// working are the signs of the plain rule where they are live. They count for every
// agent, so that none is ever less safe than under that rule (PRM-4).
var working = []Sign{
	{Name: "interrupt hint in the footer", At: Below, Match: has("esc to interrupt")},
	{Name: "running clock in the footer", At: Below, Match: timer},
	{Name: "interrupt hint beside a spinner", At: Above, Margin: true, Match: all(has("esc to interrupt"), moving)},
	{Name: "running clock beside a spinner", At: Above, Margin: true, Match: all(timer, moving)},
}

// moving tells a row that begins as busy signs do.
var moving = either(led(spinners), braille, led("◦"), begins("("))

var workHint = either(hint("esc to interrupt"), hint("esc to cancel"), has("esc interrupt", "esc esc", "esc again to interrupt",
	"ctrl+c to stop", "ctrl+c to interrupt", "ctrl+c to cancel"))
