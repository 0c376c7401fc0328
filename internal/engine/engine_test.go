package engine

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// privateOrSkip sets a cache of its own, so that the engine under test is not
// the one that these tests may run under.
func privateOrSkip(t *testing.T) dirs {
	if os.Getuid() != 0 {
		t.Skip("a private engine needs root")
	}
	for _, program := range []string{"docker", "dockerd"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("DOCKER_HOST", "")
	d, err := privateDirs()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(d); err != nil {
			t.Error(err)
		}
	})
	return d
}

func answers(host string) bool {
	_, err := ask(context.Background(), host)
	return err == nil
}

// left tells what an engine left behind: processes, mounts, its directory.
func left(t *testing.T, d dirs) {
	t.Helper()
	cmdlines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range cmdlines {
		if b, _ := os.ReadFile(path); strings.Contains(string(b), d.run) {
			t.Errorf("left running: %q", b)
		}
	}
	if mounts, _ := os.ReadFile("/proc/self/mounts"); strings.Contains(string(mounts), d.run) || strings.Contains(string(mounts), d.cache) {
		t.Errorf("left mounted:\n%s", mounts)
	}
	if _, err := os.Stat(d.run); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("left: %s (%v)", d.run, err)
	}
}

// Two users share one engine, the last one stops it, and nothing is left but
// the cache. An engine that a killed user left is joined.
func TestPrivateEngine(t *testing.T) {
	d := privateOrSkip(t)
	one, err := acquirePrivate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(d.host()) > 60 || one.Host != d.host() || !one.Private {
		t.Errorf("%+v", one)
	}
	two, err := acquirePrivate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := one.Release(); err != nil || !answers(two.Host) {
		t.Errorf("stopped under its second user (%v)", err)
	}
	two.users.release() // as a SIGKILL does
	three, err := acquirePrivate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if out, err := docker(t.Context(), three.Host, "create", "--name", "forgotten", importEmpty(t, three.Host), "x").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	names, err := three.Release()
	if err != nil || len(names) != 1 || names[0] != "forgotten" {
		t.Errorf("left %q, %v", names, err)
	}
	left(t, d)
	if again, err := three.Release(); again != nil || err != nil {
		t.Errorf("a second Release: %v %v", again, err)
	}
}

// importEmpty makes an image without files: an empty tar archive is zeros.
func importEmpty(t *testing.T, host string) string {
	cmd := docker(t.Context(), host, "import", "-", "empty")
	cmd.Stdin = strings.NewReader(strings.Repeat("\x00", 1024))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return "empty"
}

// A dead engine's remains are no obstacle, and a start that fails leaves none.
func TestPrivateEngineAfterCrash(t *testing.T) {
	d := privateOrSkip(t)
	e, err := acquirePrivate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e.users.release()
	pid, err := os.ReadFile(d.pid())
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("kill", "-KILL", strings.TrimSpace(string(pid))).Run(); err != nil {
		t.Fatal(err)
	}
	e, err = acquirePrivate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Release(); err != nil {
		t.Error(err)
	}
	left(t, d)

	t.Setenv("PATH", failing(t, "dockerd")+":"+os.Getenv("PATH"))
	if _, err := acquirePrivate(t.Context()); err == nil || !strings.Contains(err.Error(), "no good") {
		t.Errorf("a failing dockerd: %v", err)
	}
	left(t, d)
}

// failing makes a directory with a program that fails.
func failing(t *testing.T, name string) string {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho no good >&2\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// An engine that answers is taken as it is; none is an error that says how to
// get one.
func TestAcquire(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "docker"), []byte("#!/bin/sh\necho 99.1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	t.Setenv("DOCKER_HOST", "unix:///nowhere")
	e, err := Acquire(t.Context())
	if err != nil || e.Version != "99.1" || e.Private || e.Env()[0] != "DOCKER_HOST=unix:///nowhere" {
		t.Errorf("%+v %v", e, err)
	}
	if left, err := e.Release(); left != nil || err != nil {
		t.Errorf("%v %v", left, err)
	}
	t.Setenv("PATH", failing(t, "docker"))
	if _, err := Acquire(t.Context()); !errors.Is(err, ErrNone) {
		t.Errorf("no engine: %v", err)
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held, err := acquireLock(t.Context(), path, unix.LOCK_SH)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := acquireLock(ctx, path, unix.LOCK_EX); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second holder: %v", err)
	}
	held.release()
	if _, err := acquireLock(t.Context(), path, unix.LOCK_EX); err != nil {
		t.Error(err)
	}
}

// The run directory's place is known: what another user put there is refused.
func TestPrivateDir(t *testing.T) {
	open := filepath.Join(t.TempDir(), "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := privateDir(open); err != nil {
		t.Errorf("our own: %v", err)
	}
	if err := os.Chmod(open, 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{open, link} {
		if err := privateDir(dir); err == nil {
			t.Errorf("%s was taken", dir)
		}
	}
}

// with-engine passes the exit status on, and stops the engine when it is
// interrupted.
func TestWithEngine(t *testing.T) {
	program := filepath.Join(t.TempDir(), "with-engine")
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/with-engine").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	d := privateOrSkip(t) // after the build: the cache below is empty
	var exit *exec.ExitError
	out, err := exec.Command(program, "-require", "sh", "-c", "docker ps -q && exit 7").CombinedOutput()
	if !errors.As(err, &exit) || exit.ExitCode() != 7 {
		t.Errorf("%v: %s", err, out)
	}
	if answers("") {
		t.Skip("this machine has an engine: with-engine starts none")
	}
	left(t, d)

	cmd := exec.Command(program, "sh", "-c", `echo up; trap 'exit 9' TERM; while :; do sleep 0.05; done`)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := stdout.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
	if !answers(d.host()) {
		t.Error("no engine under the command")
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 9 {
		t.Errorf("interrupted: %v", err)
	}
	left(t, d)
}
