package engine

import (
	"context"
	"os"
	"testing"
	"time"
)

// Box returns the image of a tmux box, by the Debian suite whose tmux it has
// (bullseye 3.1c, bookworm 3.3a, trixie 3.5a, sid 3.8). Where there is no
// engine or no such image the test is skipped, and says why.
func Box(t testing.TB, suite string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	host := os.Getenv("DOCKER_HOST")
	if _, err := ask(ctx, host); err != nil {
		t.Skipf("no container engine answers: run the tests under with-engine (%v)", err)
	}
	image := "tmux-carrier-box:" + suite
	if err := docker(ctx, host, "image", "inspect", image).Run(); err != nil {
		t.Skipf("no image %s: run docker/tmux-box/build.sh %s", image, suite)
	}
	return image
}
