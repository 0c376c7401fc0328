// Command gc-session-tmux is the local runtime: it keeps each agent on this machine,
// in a tmux server of its own. Use it as GC_SESSION=exec:gc-session-tmux.
package main

import (
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/runtimes/local"
)

func main() { rpp.Main(local.Runtime()) }
