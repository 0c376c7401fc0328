// Package agent is a small, real terminal agent for demos and tests: raw mode,
// bracketed paste, a composer between two rules, a busy spinner, a transcript,
// dialogs, and the habits that make the real ones hard to drive. An Enter too
// close behind a burst of input is a newline, text for a dialog is dropped
// while its Enter approves, Escape and Enter together are Alt+Enter.
//
// Its log (JSON lines) holds every byte that it read and every message that it
// took, so a test asserts on what arrived and not on what the screen shows.
//
// Start at Run, or at Main for the command line. Main's flags are the fields
// of Options. ReadLog reads the log.
//
// It never runs what it is told, talks to no network, and writes no file but
// its log.
package agent
