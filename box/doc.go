// Package box is the door to an agent's box: a container, a pod, a host, a
// directory.
//
// Conn runs one argv in the box of a session. Run is the one way in: it sends a
// POSIX sh script and its arguments through one Conn.Exec, frames what the
// script prints, and says what an answer means: ErrAbsent, ErrUnavailable,
// ErrExecUnsupported. Everything that this module does in a box is such a
// script; none is ever assembled from text.
//
// The package knows nothing of processes on the host. It never retries, and
// never takes a missing answer for "gone" (BOX-1, BOX-2).
package box
