package prompt

import "time"

// Amp. Only its login was measured; its composer is not known, so it is unknown or a
// dialog, never idle.
var amp = Profile{
	Name:     "amp",
	Versions: []string{"0.0.1790142911 (login only)"},
	Commands: []string{"amp"},
	Titled:   func(title string) bool { return title == "Amp" || len(title) > 4 && title[:4] == "amp " },
	Marks:    []string{"log in to Amp"},

	Dialogs: []Sign{{Name: "login", Match: begins("Would you like to log in to Amp?")}},

	Submit:    []string{"Enter"},
	Interrupt: []string{"C-c"},
	Settle:    Settle{Base: 300 * time.Millisecond, PerMiB: 3500 * time.Millisecond},
	Leading:   "!/?#@$",
}
