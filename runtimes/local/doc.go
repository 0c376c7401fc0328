// Package local is the runtime of this machine: a box is a private directory, and a
// tmux server of its own. It needs nothing but tmux and sh. Start at [Runtime].
//
// In the box plain tmux reaches that server. The box's environment is that of the
// process that started it, with the session's over it, kept as it was then: a later
// exec from another terminal finds the same.
//
// A box confines nobody: the agent is a process of this user. It never uses the
// user's own tmux server, nor the user's tmux.conf.
//
// A stop ends what the agent has started, daemons too. What clears its environment,
// leaves the agent's terminal session and then loses its parent, as
// "(env -i setsid sleep 1000 &)" does, nothing connects with the box any more: it
// survives. Only a container's end takes that along.
package local
