package docker

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/gastownhall/tmux-carrier/runtimes/internal/tmuxbox"
)

func (e engine) imageID(ctx context.Context, image string) (string, error) {
	return e.docker(ctx, "image", "inspect", "--format", "{{.Id}}", "--", image)
}

// capabilities asks the image's tmux for its version, once an image: a container
// costs half a second.
func (e engine) capabilities(ctx context.Context) ([]string, error) {
	id, err := e.imageID(ctx, e.Image)
	if err != nil {
		return nil, err
	}
	state, err := tmuxbox.StateDir(runtimeName)
	if err != nil {
		return nil, err
	}
	// No session is called so: names have no "=".
	noted := filepath.Join(state, "image="+strings.TrimPrefix(id, "sha256:"))
	if version, err := os.ReadFile(noted); err == nil {
		return tmuxbox.Capabilities(string(version)), nil
	}
	version, err := e.docker(ctx, "run", "--rm", "--network", "none", "--entrypoint", "tmux", id, "-V")
	if err != nil {
		return nil, err
	}
	// Not being able to note it costs the next handshake its half second.
	_ = os.WriteFile(noted, []byte(version), 0o600)
	return tmuxbox.Capabilities(version), nil
}
