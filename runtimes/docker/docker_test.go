package docker

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	private "github.com/gastownhall/tmux-carrier/internal/engine"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/runtimes/internal/runtimetest"
)

const as = "TMUX_CARRIER_TEST_AS"

func TestMain(m *testing.M) {
	if os.Getenv(as) == "runtime" {
		rpp.Main(Runtime(FromEnv()))
	}
	os.Exit(m.Run())
}

func TestSuite(t *testing.T) { runtimetest.Suite(t, newRig) }

// newRig has a state directory of its own; no container of it may be left.
func newRig(t *testing.T) *runtimetest.Rig {
	image := private.Box(t, cmp.Or(os.Getenv("TMUX_BOX"), "bookworm")) // TMUX_BOX: another suite
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := &runtimetest.Rig{Argv: []string{self}, Work: t.TempDir(), Demo: "demo-agent"}
	if err := os.Chmod(r.Work, 0o777); err != nil { // the image's user is another
		t.Fatal(err)
	}
	state := t.TempDir()
	r.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0", as+"=runtime", "GC_EXEC_STATE_DIR="+state, "GC_SESSION_DOCKER_IMAGE="+image)
	t.Cleanup(func() {
		runtimetest.NoProcesses(t, state)
		sum := sha256.Sum256([]byte(filepath.Join(state, runtimeName+"-"+strconv.Itoa(os.Geteuid()))))
		if left := docker(t, "ps", "-a", "--filter", "label="+labelState+hex.EncodeToString(sum[:8])); strings.Count(left, "\n") > 1 {
			t.Errorf("containers are left:\n%s", left)
		}
	})
	return r
}

func docker(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("docker", args...).Output()
	if err != nil {
		t.Fatalf("docker %v: %v", args, err)
	}
	return string(out)
}

// RUN-3, RUN-5: nothing of the environment is in docker inspect; a container that was
// stopped is no running session, and gone ones are no trouble.
func TestContainer(t *testing.T) {
	r := newRig(t)
	const secret = "s3cret-of-the-session"
	r.MustStart(t, "c", rpp.StartConfig{Command: "sleep 1000", Env: map[string]string{"GC_SECRET": secret, "GC_SESSION_ID": "x"}})
	id := strings.TrimSpace(docker(t, "ps", "-q", "--filter", "label=tmux-carrier.session=c"))
	if got := docker(t, "inspect", id); strings.Contains(got, secret) || strings.Contains(got, "GC_SESSION_ID") {
		t.Error("docker inspect shows the session's environment")
	}
	if got := r.Exec(t, "c", "id -un; cat /proc/1/comm"); got == "root\n" || !strings.HasPrefix(got, "agent\n") {
		t.Errorf("it runs as %q", got)
	}
	docker(t, "kill", id)
	if r.Running(t, "c") {
		t.Error("the container was killed, and it is running")
	}
	if got := r.Run(t, "true", "exec", "c"); got.Code != 1 {
		t.Errorf("exec in a killed container: %+v", got)
	}
	if got := r.Must(t, "", "is-attached", "c") + r.Must(t, "", "list-running", ""); strings.TrimSpace(got) != "false" {
		t.Errorf("of a killed container: %q", got)
	}
	r.MustStart(t, "c", rpp.StartConfig{Command: "sleep 1000"})
	docker(t, "rm", "-f", strings.TrimSpace(docker(t, "ps", "-q", "--filter", "label=tmux-carrier.session=c")))
	if r.Running(t, "c") {
		t.Error("the container was removed, and it is running")
	}
	r.Must(t, "", "stop", "c")

	r.Env = append(r.Env, "GC_SESSION_DOCKER_USER=root", "GC_SESSION_DOCKER_ARGS=--network none --env FROM_ARGS=1")
	r.MustStart(t, "c", rpp.StartConfig{Command: "sleep 1000"})
	if got := r.Exec(t, "c", "id -un; echo $FROM_ARGS; tmux list-sessions -F '#{session_name}'"); got != "root\n1\nmain\n" {
		t.Errorf("with another user and more arguments: %q", got)
	}
	if got := r.Run(t, "", "check-image", "no-such-image:at-all"); got.Code != 1 {
		t.Errorf("check-image: %+v", got)
	}
	r.Must(t, "", "check-image", DefaultImage)
	if got := r.Must(t, "", "protocol"); !strings.Contains(got, rpp.CapInputFence) {
		t.Errorf("handshake: %s", got)
	}
}

// RUN-4: canceled, a start has removed its container within 2 s; killed, the next
// start does.
func TestCanceledStart(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(sig.String(), func(t *testing.T) {
			r := newRig(t)
			cfg := rpp.StartConfig{WorkDir: r.Work, PreStart: []string{"echo >there; trap '' TERM HUP; while :; do sleep 1; done"}}
			t.Cleanup(func() { r.Must(t, "", "stop", "s") })
			took, _ := r.Canceled(t, runtimetest.Config(t, cfg), func() bool {
				_, err := os.Stat(r.Work + "/there")
				return err == nil
			}, sig, "start", "s")
			if took > 2*time.Second {
				t.Errorf("took %v", took)
			}
			if left := docker(t, "ps", "-aq", "--filter", "label=tmux-carrier.session=s"); sig == syscall.SIGTERM && left != "" {
				t.Errorf("left: %s", left)
			}
			r.MustStart(t, "s", rpp.StartConfig{Command: "sleep 1000"})
		})
	}
}

func TestMount(t *testing.T) {
	for dir, want := range map[string]string{
		"/a/b":   "type=bind,src=/a/b,dst=/a/b",
		"/a,b c": `type=bind,"src=/a,b c","dst=/a,b c"`,
	} {
		if got := mount(dir); got != want {
			t.Errorf("mount of %s: %s, want %s", dir, got, want)
		}
	}
}
