// Command demo-agent is the demo agent as a program of its own, for the image
// of docker/tmux-box: CGO_ENABLED=0 makes it static, so it runs in any of them.
package main

import (
	"os"

	"github.com/gastownhall/tmux-carrier/internal/agent"
)

func main() { os.Exit(agent.Main(os.Args[1:])) }
