// Package session is an agent's life in a box: start, relaunch, stop, with the fence and
// the ready prompt put around them, and the dialogs that agents ask at their start.
//
// Begin at [Start]. It takes the way that the runtime's handshake offers:
//
//   - welded: is-running; the fence of a session that may run is read and cleared; start;
//     the fence and the ready prompt, in one exec;
//   - separable (proc.provision and proc.exec): provision; then one exec launches the agent
//     by a tmux list that sets the fence too, and stores the ready prompt. Input for an
//     earlier incarnation finds no moment between the two.
//
// [Relaunch] is that exec alone, in a warm box: respawn-pane in the agent's pane, the old
// fence gone before the new process is born, the new one bound to it, in one list.
//
// A start does not wait for the agent to be ready. Where it is to answer dialogs, it looks
// until the agent stands at its composer, or 10 s long. A known dialog is answered by
// moving the highlight to the right option, and by an Enter that the tmux server itself
// presses only while it sees the highlight there. A permission, a login, a dialog that
// nobody knows is left alone and named in Result.Warnings.
//
// # What a failure leaves
//
// Every failure comes back as an error that joins all of what went wrong. "Stop" is the
// runtime's stop, and it has 30 s of its own when the caller's time is up. "Put back" is
// the old fence, on the same pane, if its process is the same and no other fence is there;
// where that is refused, the error says so too.
//
//	what fails                               box ran before     else
//	---------------------------------------  -----------------  ---------------------------
//	the handshake cannot be had              nothing done       nothing done
//	its fence cannot be read or cleared      start not tried    start not tried
//	start: exit status, deadline, canceled   kept, put back     stop
//	start: "already exists"                  kept, put back     kept
//	publish: refused, not answered           kept, put back     stop
//	the agent has ended (EndedError)         kept               stop
//	the agent has ended, one_shot            success            success
//	the ready prompt cannot be stored        warning            warning
//	dialogs cannot be looked for             kept, new fence    stop
//	the pane refuses a dialog's keys         warning            warning
//	a dialog is unknown, or does not go      warning            warning
//	stop itself                                                 error: it may be left
//	provision, for whatever reason           nothing done       nothing done (its rollback)
//	launch, for whatever reason                                 stop
//	relaunch, for whatever reason            kept; the fence is the old one, the new one on
//	                                         the new process, or none
//
// "Box ran before" is a clear yes of is-running. Where is-running fails, the session may
// run: its fence is read and cleared, but a failed start is stopped.
//
// The package never kills by itself, never retries, never presses a key twice, and puts no
// environment into a launch: that is the box's, since provision.
package session
