// Package prompt says what an agent's screen shows: idle, busy, a dialog, a
// draft, starting, dead, or unknown, with the sign that told it.
//
// Start at Classify. An Observation is what tmux knows of the pane at one moment;
// the verdict needs nothing else. Only the live region decides (the composer,
// what stands right above it and the footer below it, found from below) and the
// pane's title; the transcript never does, nor the history above the visible screen
// (where the pane's height is known). Dialog is looked for before busy, busy
// before draft, draft before idle, and what cannot be told is unknown, never idle.
//
// What is known of an agent is a Profile: one file of data each (claude.go,
// codex.go, …), with the versions that it was measured on. Signs are shapes
// (a spinner, a footer's key hint), not lists of words: agents change their
// words with every release.
//
// DialogFormat, SettledFormat and AgentFormat are the same knowledge as tmux
// formats, for the tmux server to look at the pane itself in the list that types.
// StoreReady and ReadReady keep a session's ready prompt in its box.
//
// What cannot be told: a first screen that is drawn before its agent is ready (Gemini,
// Qwen: the same as when idle, byte for byte), a draft that is not drawn yet (Copilot),
// a dialog on a screen that is still blank. Gemini and Codex show an empty composer
// without a sign for 10 to 105 ms after an Enter: one idle look is no proof, two
// unchanged ones are (Unchanged).
//
// Classification does no I/O. The package never types, never sleeps, and never
// guesses: a weak sign alone does not make a screen idle.
package prompt
