// Package idle proves that an agent is idle, so that its box may be put to sleep.
//
// Start at Prover.Check: two observations of the agent pane, 200 ms apart, that are
// both idle and show the same, within 5 s in all. One exec does it where the box has
// a sleep that takes fractions. Whatever else happens, a slow box, a screen that
// cannot be told, a runtime that hangs, is "not idle": the box stays awake (IDL-2).
package idle
