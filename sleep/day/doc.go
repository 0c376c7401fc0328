// Package day runs the controller of package sleep over a day of made-up
// sessions, and says what it saved, what it cost and what went wrong. Start at
// [Simulate]. It is the real controller on a clock that the simulation turns;
// nothing here starts a process, sleeps or writes a file.
//
// The people and the agents are drawn from a seed: people attach, type, leave in
// the middle of a turn, leave drafts and dialogs behind; work and nudges come at
// any time; looks fail now and then. Each box knows whether anything speaks
// against its being stopped, and holds that against every stop.
package day
