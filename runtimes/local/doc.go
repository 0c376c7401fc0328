// Package local is the runtime of this machine: a box is a private directory, and a
// tmux server of its own. It needs nothing but tmux and sh. Start at [Runtime].
//
// In the box plain tmux reaches that server. The box's environment is that of the
// process that started it, with the session's over it, kept as it was then: a later
// exec from another terminal finds the same.
//
// A box confines nobody: the agent is a process of this user. It never uses the
// user's own tmux server, nor the user's tmux.conf.
package local
