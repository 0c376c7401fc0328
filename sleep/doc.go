// Package sleep decides which sessions may sleep, puts them to sleep at a safe
// moment, and wakes them in time. Sleeping a session is stop, waking it is
// start; nothing else is done to a box.
//
// Start at [Decide]: it is pure, and every rule is in it. [Policy] says what may
// sleep and when ([Parse] reads it from TOML); [Record] is what must be
// remembered between two looks; [Controller] does the looking, asking a
// [Sessions] for facts and letting Decide judge them. Package live is a Sessions over
// real boxes; package day simulates one.
//
// What it never does: it never stops a session that is attached, busy, shows a
// dialog or a draft, or of which it cannot tell; a failure to look is not a sign
// of idleness. It never starts a session because it is configured: only a wake
// reason, or a policy other than the one it fell asleep under, wakes it. It
// types nothing and reads no message.
package sleep
