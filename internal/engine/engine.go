package engine

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// ErrNone: there is no engine, and none can be started. Its text says how to
// get one.
var ErrNone = errors.New("no container engine: start Docker, or be root and install dockerd (Debian: apt-get install docker.io)")

// An Engine is a running container engine.
type Engine struct {
	Host    string // for DOCKER_HOST; empty: the docker command finds it
	Version string
	Private bool // it is ours, and ends with its last user

	dirs  dirs
	users *lock
}

// Acquire finds the engine that the docker command talks to, or else starts a
// private one or joins one that is running. Release gives it back.
func Acquire(ctx context.Context) (*Engine, error) {
	if _, err := exec.LookPath("docker"); err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNone, err)
	}
	host := os.Getenv("DOCKER_HOST")
	if version, err := ask(ctx, host); err == nil {
		return &Engine{Host: host, Version: version}, nil
	}
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		return nil, ErrNone
	}
	if _, err := exec.LookPath("dockerd"); err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNone, err)
	}
	return acquirePrivate(ctx)
}

// Env is the environment, beside the caller's own, for the docker command.
func (e *Engine) Env() []string {
	if e.Host == "" {
		return nil
	}
	return []string{"DOCKER_HOST=" + e.Host}
}

// ask returns the version of the engine at host. It is the probe, too: an
// engine that does not answer in time is none.
func ask(ctx context.Context, host string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cmd := docker(ctx, host, "version", "--format", "{{.Server.Version}}")
	out, err := cmd.Output()
	version := strings.TrimSpace(string(out))
	if err == nil && version == "" {
		err = errors.New("docker version: no answer")
	}
	return version, err
}

func docker(ctx context.Context, host string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "docker", args...)
	if host != "" {
		cmd.Env = append(os.Environ(), "DOCKER_HOST="+host)
	}
	return cmd
}

// dirs are the places of the private engine.
type dirs struct {
	cache string // images and locks; stays
	run   string // socket, process, log; goes with the engine
}

func privateDirs() (dirs, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return dirs{}, fmt.Errorf("engine: no cache directory: %w", err)
	}
	cache = filepath.Join(cache, "tmux-carrier")
	// Short, whatever HOME is: dockerd's socket and containerd's lie below, and
	// a socket path is limited to about 100 bytes.
	sum := sha256.Sum256([]byte(cache))
	return dirs{cache: cache, run: fmt.Sprintf("/tmp/tmux-carrier-engine-%x", sum[:4])}, nil
}

func (d dirs) data() string   { return filepath.Join(d.cache, "docker") }
func (d dirs) host() string   { return "unix://" + filepath.Join(d.run, "s") }
func (d dirs) pid() string    { return filepath.Join(d.run, "pid") }
func (d dirs) exec() string   { return filepath.Join(d.run, "x") }
func (d dirs) log() string    { return filepath.Join(d.run, "log") }
func (d dirs) config() string { return filepath.Join(d.run, "daemon.json") }
