// Package fence decides who may type: input reaches only the incarnation of the
// agent that it is meant for.
//
// The fence is the pane option @gc_fence on the agent pane. A Guard puts the
// check and the input into one tmux command list, so that nothing comes in
// between (FEN-3). Read, Publish, Clear and Restore cost one exec each.
//
// Without the capability input-fence no command of this package, and no guard,
// names the fence in a box at all (FEN-1).
package fence
