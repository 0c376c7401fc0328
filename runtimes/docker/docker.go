package docker

import (
	"cmp"
	"context"
	"os"
	"strings"

	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/runtimes/internal/tmuxbox"
)

// DefaultImage is what a Config without an image means.
const DefaultImage = "tmux-carrier-box:bookworm"

// Config says what containers are made of.
type Config struct {
	Image string   // "" is DefaultImage
	User  string   // whom agents run as, as docker run --user takes it; "" is the image's user
	Args  []string // more arguments of docker run: --network, --memory, …
}

// FromEnv reads a Config from GC_SESSION_DOCKER_IMAGE, GC_SESSION_DOCKER_USER and
// GC_SESSION_DOCKER_ARGS (separated by blanks). The image is the runtime's and not a
// session's, because the handshake has to say, before there is a box, what boxes can.
func FromEnv() Config {
	return Config{
		Image: os.Getenv("GC_SESSION_DOCKER_IMAGE"),
		User:  os.Getenv("GC_SESSION_DOCKER_USER"),
		Args:  strings.Fields(os.Getenv("GC_SESSION_DOCKER_ARGS")),
	}
}

const runtimeName = "gc-session-docker"

// Runtime is the runtime that gc-session-docker serves.
func Runtime(c Config) rpp.Runtime {
	e := engine{Config: c}
	e.Image = cmp.Or(c.Image, DefaultImage)
	return tmuxbox.New(tmuxbox.Config{
		Name:         runtimeName,
		Engine:       e,
		Capabilities: e.capabilities,
		CheckImage: func(ctx context.Context, image string) error {
			_, err := e.imageID(ctx, image)
			return err
		},
	})
}
