// Package mark finds and ends the processes of a box on this host.
//
// Whatever a runtime runs for a box has the box's id in its environment
// ([Variable]), and passes it on to its children, however far they go: agents
// leave daemons behind that have left their parent, their session and their
// process group, and some ignore HUP and TERM. Start at [End].
//
// A process is never signaled by number alone: it is known by its start time too,
// and signaled through a handle that outlives its number (a pidfd, on Linux).
//
// It does not find a process whose environment cannot be read (one that cleared it;
// for anybody but root, one that forbids to be traced, as ssh-agent does) once that
// process has lost every relative that is marked.
package mark
