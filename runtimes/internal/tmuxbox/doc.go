// Package tmuxbox is what the shipped runtimes have in common: a session's
// life in a box that has sh and tmux. A runtime brings an [Engine], which makes
// a box, enters it and removes it; [New] makes every operation of the protocol
// out of that. Start reading at New, then at start.
//
// Inside the box the agent is the root process of a pane of the tmux session
// main. On the host each session has one private directory ([Box]), which is
// its record, its lock and the home of its metadata.
//
// A provision ends before its agent is launched, so process_names are for whoever
// launches it to wait for (RUN-2).
// Until then the box is its caller's: the process that ran provision. Run this through
// a wrapper that execs, not one that waits: its end would be the caller's end.
//
// It never types what it was not given, never puts a value of the session's
// environment on a command line, in a log or in an error, and never loads
// anybody's tmux.conf: a hook, a default-command or a plugin that restores
// sessions would make the box another box than the one that was asked for.
package tmuxbox
