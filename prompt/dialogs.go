package prompt

import "strings"

// menuFooter tells the row of key hints that ends a menu, in any of the agents. A busy
// sign offers a key too: it has a spinner or a clock.
func menuFooter(row string) bool {
	return menuKeys(row) && !braille(row) && !timed(row)
}

var menuKeys = either(
	keyed("esc to cancel", "esc to close", "esc to exit", "esc to go back", "esc back", "esc dismiss",
		"enter to confirm", "enter to select", "enter to continue", "enter to submit", "enter to open", "enter to use",
		"enter confirm", "enter select", "enter submit",
		"use enter to ", "esc and choose "),
	has("[y] Approve", "[(y)es, (n)o]", "(Press Esc to close)"),
)

// topics name a dialog by what it says. The first one that stands on the screen wins.
var topics = []struct {
	name  string
	words []string
}{
	{"bypass", []string{"Bypass Permissions mode"}},
	{"trust", []string{"trust this folder", "trust the files", "Trust folder", "Quick safety check", "Do you trust", "project you created or one you trust"}},
	{"login", []string{"Sign in", "sign in", "log in to", "uthentic", "Login method"}},
	{"permission", []string{"Do you want to ", "Would you like to run", "Would you like to make", "Allow execution", "Apply this change", "Permission required", "Approve tool call", "needs permission", "Allow once"}},
	{"plan", []string{"ready to execute", "Would you like to proceed", "Implement this plan"}},
	{"interrupt", []string{"Task is still running"}},
	{"quit", []string{"before exiting?"}},
	{"question", []string{"Answer Questions", "asking a question", "Question 1/", "Type your own answer", "Type something", "unanswered)"}},
	{"promo", []string{"any other key to close"}},
	{"rewind", []string{"Stay at current position", "(current)", "Rewind"}},
	{"model", []string{"Select model", "Select Model"}},
}

// named gives the topic of the dialog in the live region.
func (s *scene) named(otherwise string) string {
	for _, t := range topics {
		for i := s.n - 1; i >= max(0, s.n-lowest); i-- {
			for _, w := range t.words {
				if strings.Contains(s.row(i), w) {
					return t.name
				}
			}
		}
	}
	return otherwise
}
