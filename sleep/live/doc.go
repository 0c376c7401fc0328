// Package live is package sleep over real boxes: the sessions of one runtime, put to
// sleep by session.Stop and woken by session.Start.
//
// Start at [New], and give what it returns to a sleep.Controller. [Sessions.Wake] is for
// everybody else who needs a session up: it asks the controller that runs, and is one
// itself where none does. [Sessions.Ready] says when the agent of a woken session can be
// typed to.
//
// # What sleep keeps, and what it loses
//
// Sleep is the runtime's stop, waking is its start, so nothing is kept that a stop does
// not keep. With the shipped runtimes:
//
//	                                         local                       docker
//	---------------------------------------  --------------------------  --------------------------
//	a work_dir that the start config names   kept                        kept (bind mount)
//	the work_dir of one that names none      lost                        lost
//	other files                              this machine's, so kept     lost, with the container
//	processes, in the background too         lost                        lost
//	screen, scrollback, drafts, receipts     lost                        lost
//	metadata of set-meta                     lost                        lost
//	the agent's conversation                 as the files it is in       as the files it is in
//	the fence                                a new one                   a new one
//
// A conversation goes on only if the agent keeps it in files and its command resumes it,
// such as `claude --continue`: that is the class interactive_resume. A docker box keeps
// the files of an agent's home only if they lie in the work_dir or on a volume
// (GC_SESSION_DOCKER_ARGS). A start config's nudge is typed again at each wake, since the
// runtime types it at each start. The new fence has the old one's token if the start
// config's env names an instance, and a random one else.
//
// The package stops no session that it could not start again: one without a command in
// its [session.start] is never put to sleep.
package live
