package prompt

import (
	"strings"
	"time"
)

// OpenCode. No prompt glyph: the composer stands behind a bar. Menus are drawn over a
// screen that still shows it; the cursor leaves it then. C-c ends the program.
var opencode = Profile{
	Name:     "opencode",
	Versions: []string{"1.18.33"},
	Commands: []string{"opencode"},
	Titled: func(title string) bool {
		return title == "OpenCode" || strings.HasPrefix(title, "OC | ")
	},
	Marks: []string{"ctrl+p commands", "OpenCode"},
	Drawn: func(row string) bool { return strings.HasPrefix(trim(row), "╹▀▀▀") },

	Composer: Composer{
		Shapes:           []Shape{Barred},
		Placeholders:     []string{"Ask anything…", "Ask anything..."},
		ModePlaceholders: []string{"Run a command…", "Run a command..."},
		Cursor:           true,
	},
	Dialogs: []Sign{
		{Name: "menu", At: Screen, Match: menuHead, Over: true},
		{Name: "login", At: Below, Match: has("Tip Run /connect to add an AI provider"), Over: true},
	},
	Busy: []Sign{
		{Name: "interrupt hint in the footer", At: Below, Match: has("esc interrupt", "esc again to interrupt")},
		{Name: "progress in the footer", At: Below, Match: begins("■", "⬝")},
		{Name: "retry in the footer", At: Below, Match: has("[retrying ")},
		{Name: "spinner above the composer", At: Above, Match: braille},
	},
	Queued:   []Sign{{Name: "queued message", At: Above, Match: func(row string) bool { return row == "QUEUED" }}},
	Message:  []string{"┃"},
	Answered: []Sign{{Name: "answer", Match: led("▣")}},
	Heads:    5,

	Submit:    []string{"Enter"},
	Interrupt: []string{"Escape", "Escape"}, // the first one only arms it
	Between:   200 * time.Millisecond,
	Settle:    Settle{Base: 100 * time.Millisecond, PerMiB: 300 * time.Millisecond},
	// Leading is empty: pasted, ! and / arrive as text.
}

// menuHead tells the head of a menu that is drawn over the screen: its title, and
// `esc` at the far right.
func menuHead(row string) bool {
	before, ok := strings.CutSuffix(row, "esc")
	return ok && len(before)-len(trim(before)) >= 4 && trim(before) != ""
}
