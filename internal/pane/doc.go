// Package pane is what every verb does first in a box: find the agent's pane in
// session main, wait for its turn, and act on the pane by one tmux command list.
//
// The shell part is Find and Turn, sources that scripts are made of; the tmux
// part is List, a command list that Go builds and tests, so that no shell puts
// tmux commands together.
package pane
