// Package carrier drives the agent in a box: Nudge, Keys, Peek, Interrupt and
// ClearScrollback, each one tmux command list sent through one exec.
//
// Start at Carrier: give it a box.Conn, ask it for a Session by name, and call a
// verb. Where the runtime has no exec operation, the dedicated operation does the
// verb, if the Conn has it; the answer is remembered (CAR-2).
//
// A nil error means that the box confirmed the verb by a marker, never only that an
// exit code was 0 (CAR-3). The package types nothing that its caller did not give.
package carrier
