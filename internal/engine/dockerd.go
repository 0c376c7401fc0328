package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	startWithin = 60 * time.Second // measured: 0.6 s on two quiet cores
	stopWithin  = 20 * time.Second // dockerd gives containers 15 s
)

// start starts dockerd and waits until it answers. Where its own choice of a
// storage driver fails (overlay on overlay, in a container), vfs works.
func start(ctx context.Context, d dirs) (version string, err error) {
	version, err = startWith(ctx, d)
	if err != nil && ctx.Err() == nil {
		var again error
		if version, again = startWith(ctx, d, "--storage-driver=vfs"); again == nil {
			return version, nil
		}
	}
	return version, err
}

func startWith(ctx context.Context, d dirs, flags ...string) (string, error) {
	// A configuration of the machine's engine would add its own hosts to ours.
	if err := os.WriteFile(d.config(), []byte("{}\n"), 0o600); err != nil {
		return "", err
	}
	log, err := os.OpenFile(d.log(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return "", err
	}
	defer func() { _ = log.Close() }()
	cmd := exec.Command("dockerd", append([]string{
		"--config-file", d.config(), "--data-root", d.data(), "--exec-root", d.exec(),
		"--pidfile", d.pid(), "--host", d.host(),
		// The machine's network is none of our business, and boxes need none.
		"--bridge=none", "--iptables=false", "--ip6tables=false",
	}, flags...)...)
	cmd.Stdout, cmd.Stderr = log, log
	// Where dockerd gives up on a slow containerd and restarts it, which a
	// loaded machine saw, containerd writes its stacks there.
	cmd.Env = append(os.Environ(), "TMPDIR="+d.run)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // it outlives us if others use it
	if err := cmd.Start(); err != nil {
		return "", err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	ctx, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	for {
		if version, err := ask(ctx, d.host()); err == nil {
			return version, nil
		}
		select {
		case err := <-ended:
			return "", fmt.Errorf("engine: dockerd ended (%w): %s", err, lastLines(d.log(), 3))
		case <-ctx.Done():
			_ = cmd.Process.Kill()
			return "", fmt.Errorf("engine: dockerd does not answer: %w: %s", ctx.Err(), lastLines(d.log(), 3))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// stop ends dockerd and containerd, unmounts what they left mounted, and
// removes the run directory. It is idempotent.
func stop(d dirs) error {
	containerd := filepath.Join(d.exec(), "containerd")
	err := errors.Join(
		// Its command line names the socket: a pid in a file may be anybody's.
		end(d.pid(), d.host()),
		end(filepath.Join(containerd, "containerd.pid"), containerd),
	)
	if err := errors.Join(err, unmount(d.run), unmount(d.data())); err != nil {
		return err // and remove nothing: it may be in use
	}
	return os.RemoveAll(d.run)
}

// end ends the process of a pid file whose command line contains mark.
func end(pidfile, mark string) error {
	data, err := os.ReadFile(pidfile)
	if err != nil {
		return nil // no file, no process
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		return nil
	}
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		if !runs(pid, mark) {
			return nil
		}
		_ = syscall.Kill(pid, s)
		for until := time.Now().Add(stopWithin); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
			if !runs(pid, mark) {
				return nil
			}
		}
	}
	return fmt.Errorf("engine: process %d does not end", pid)
}

// runs reports whether pid is a process of that command line. That of a zombie
// is empty.
func runs(pid int, mark string) bool {
	cmdline, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && bytes.Contains(cmdline, []byte(mark))
}

func lastLines(path string, n int) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "; ")
}
