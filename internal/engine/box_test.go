package engine

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// box starts a container from the box of a suite, and removes it with the test.
func box(t testing.TB, suite string) (run func(argv ...string) string) {
	image := Box(t, suite)
	name := "tmux-carrier-test-" + suite + "-" + strings.ToLower(strings.ReplaceAll(t.Name(), "/", "-"))
	out, err := exec.Command("docker", "run", "-d", "--rm", "--init", "--network", "none", "--name", name, image).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("docker", "rm", "-f", name).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	return func(argv ...string) string {
		t.Helper()
		out, err := exec.Command("docker", append([]string{"exec", name}, argv...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v: %s", argv, err, out)
		}
		return string(out)
	}
}

// In every box that was built, plain tmux runs the demo agent in session main,
// as the unprivileged user, and an exec reaches it.
func TestBox(t *testing.T) {
	for suite, version := range map[string]string{
		"bullseye": "tmux 3.1c", "bookworm": "tmux 3.3a", "trixie": "tmux 3.5a", "sid": "tmux 3.",
	} {
		t.Run(suite, func(t *testing.T) {
			run := box(t, suite)
			if got := run("sh", "-c", "id -un && tmux -V && cat /proc/1/comm"); !strings.HasPrefix(got, "agent\n"+version) || strings.HasSuffix(got, "sleep\n") {
				t.Errorf("in the box: %q", got)
			}
			run("tmux", "-u", "new-session", "-d", "-s", "main", "-x", "100", "-y", "30", "demo-agent --nbsp --log $HOME/log")
			wait := func(what string, argv ...string) {
				t.Helper()
				for end := time.Now().Add(20 * time.Second); !strings.Contains(run(argv...), what); time.Sleep(20 * time.Millisecond) {
					if time.Now().After(end) {
						t.Fatalf("gave up waiting for %q:\n%s\n%s", what, run("tmux", "-u", "capture-pane", "-p", "-t", "=main:"), run(argv...))
					}
				}
			}
			wait(`"ready"`, "sh", "-c", "cat ~/log 2>&1 || :")
			wait("❯\u00a0", "tmux", "-u", "capture-pane", "-p", "-t", "=main:")
			run("sh", "-c", `printf 'über\n世界' | tmux load-buffer -b b - \; paste-buffer -p -r -d -b b -t =main: && sleep 1 && tmux send-keys -t =main: Enter`)
			wait(`"submit":"über\n世界"`, "cat", "/home/agent/log")
		})
	}
}

// BenchmarkExec is the floor of every verb on a container.
func BenchmarkExec(b *testing.B) {
	suite := "bookworm"
	if s := os.Getenv("SUITE"); s != "" {
		suite = s
	}
	run := box(b, suite)
	for b.Loop() {
		run("true")
	}
}
