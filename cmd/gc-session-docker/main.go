// Command gc-session-docker is the runtime of containers: it keeps each agent in a
// container of its own. Use it as GC_SESSION=exec:gc-session-docker.
package main

import (
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/runtimes/docker"
)

func main() { rpp.Main(docker.Runtime(docker.FromEnv())) }
