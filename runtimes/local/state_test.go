package local

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/runtimes/internal/tmuxbox"
)

// RUN-1: the state directory may lie as deep as it likes; the socket does not.
func TestLongStateDirectory(t *testing.T) {
	deep := filepath.Join(t.TempDir(), strings.Repeat("d", 150))
	r := rigIn(t, deep)
	r.MustStart(t, strings.Repeat("n", 200), rpp.StartConfig{Command: "sleep 1000"})
	r.MustStart(t, "n", rpp.StartConfig{Command: "sleep 1000"})
	path := strings.TrimSpace(r.Exec(t, "n", "tmux display-message -p '#{socket_path}'"))
	if len(path) >= 100 || !strings.HasPrefix(path, "/tmp/gc-box-") {
		t.Errorf("socket %q", path)
	}
	dir := filepath.Dir(filepath.Dir(path))
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%s: %v %v", dir, info.Mode(), err)
	}
	// Removed by whoever cleans /tmp: then nothing goes to another server, and stop
	// still ends everything.
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir + "-away") })
	if r.Running(t, "n") {
		t.Error("nobody can reach it, and it is running")
	}
	if got := r.Run(t, "tmux list-sessions", "exec", "n"); got.Code != 1 || got.Out != "" {
		t.Errorf("exec: %+v", got)
	}
	r.Must(t, "", "stop", "n")
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", dir, err)
	}
	for _, name := range []string{strings.Repeat("n", 201), "..", ".", "a/b", "", "-x", "a b"} {
		if got := r.Run(t, "{}", "start", name); got.Code != 1 {
			t.Errorf("start %q: %+v", name, got)
		}
	}
}

// RUN-1: without GC_EXEC_STATE_DIR the state is under TMPDIR, and private. What
// somebody else put there first is not taken.
func TestPrivateState(t *testing.T) {
	r := newRig(t)
	tmp := t.TempDir()
	own := filepath.Join(tmp, "gc-session-tmux-"+strconv.Itoa(os.Geteuid()))
	r.Env = slices.DeleteFunc(r.Env, func(e string) bool {
		return strings.HasPrefix(e, "GC_EXEC_STATE_DIR=") || strings.HasPrefix(e, "TMPDIR=")
	})
	r.Env = append(r.Env, "TMPDIR="+tmp)

	r.Must(t, "", "list-running", "")
	if info, err := os.Stat(own); err != nil || info.Mode().Perm() != 0o700 {
		t.Fatalf("%s: %v", own, err)
	}
	refused := func(why string) {
		t.Helper()
		if got := r.Run(t, "{}", "start", "s"); got.Code != 1 || !strings.Contains(got.Err, why) {
			t.Errorf("want %q: %+v", why, got)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Chmod(own, 0o755))
	refused("open to others")
	must(os.Remove(own))
	target := t.TempDir()
	must(os.Chmod(target, 0o700))
	must(os.Symlink(target, own))
	refused("no directory")
	must(os.Remove(own))
	if os.Geteuid() == 0 {
		must(os.Mkdir(own, 0o700))
		must(os.Chown(own, 65534, 65534))
		refused("another user")
		must(os.Remove(own))
	} else {
		t.Log("not root: a directory of another user is not tried")
	}
	if entries, _ := os.ReadDir(target); len(entries) > 0 {
		t.Errorf("something was written through the link: %v", entries)
	}
}

// RUN-5: a socket without its server, as a reboot or a crash leaves it, is no running
// session, and the next start replaces it.
func TestStaleSocket(t *testing.T) {
	r := newRig(t)
	for _, kill := range []string{"KILL", "KILL", "TERM"} {
		r.MustStart(t, "stale", rpp.StartConfig{Command: "sleep 1000"})
		r.Run(t, "kill -"+kill+" $(tmux display-message -p '#{pid}')", "exec", "stale")
		r.Wait(t, "stale", "the end of the server", func() bool { return !r.Running(t, "stale") })
		if got := r.Must(t, "", "is-attached", "stale"); got != "false\n" {
			t.Errorf("is-attached: %q", got)
		}
	}
	r.Must(t, "", "stop", "stale")
}

// A stopped server answers nobody: it cannot be told whether the session runs, so the
// list has it, and the others beside it.
func TestCannotTell(t *testing.T) {
	r := newRig(t)
	r.MustStart(t, "hung", rpp.StartConfig{Command: "sleep 1000"})
	pid := strings.TrimSpace(r.Exec(t, "hung", "tmux display-message -p '#{pid}'"))
	r.Exec(t, "hung", "kill -STOP "+pid)
	for _, op := range []string{"is-running", "is-attached"} {
		cmd := r.Command(op, "hung")
		var out strings.Builder
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(300*time.Millisecond, func() { _ = cmd.Process.Signal(os.Interrupt) })
		if err := cmd.Wait(); err == nil || out.Len() > 0 {
			t.Errorf("%s of a hung server says %q", op, out.String())
		}
		timer.Stop()
	}
	r.MustStart(t, "healthy", rpp.StartConfig{Command: "sleep 1000"})
	if got := r.Must(t, "", "list-running", "h"); got != "healthy\nhung\n" {
		t.Errorf("list-running: %q", got)
	}
	r.Exec(t, "hung", "kill -CONT "+pid)
	if !r.Running(t, "hung") {
		t.Error("not running")
	}
}

// The user's own tmux stays out of it: its configuration, and its server.
func TestForeignTmux(t *testing.T) {
	r := newRig(t)
	home := t.TempDir()
	conf := "set -g base-index 7\nset -g pane-base-index 3\nset -g status off\nset-hook -g after-new-session 'kill-session'\nset -g default-command 'false'\n"
	if err := os.WriteFile(filepath.Join(home, ".tmux.conf"), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	odd := filepath.Join(r.Work, "#(touch owned) #{pid} 'dir'")
	r.MustStart(t, "conf", rpp.StartConfig{Command: "sleep 1000", WorkDir: odd, Env: map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": home, "TMUX": "/elsewhere,1,2", "TMUX_PANE": "%9", "TMUX_TMPDIR": home,
	}})
	got := r.Exec(t, "conf", "pwd; tmux display-message -p -t =main: '#{window_index} #{window_width}x#{window_height} #{pane_current_path}'; ls")
	if want := odd + "\n0 200x50 " + odd + "\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCapabilities(t *testing.T) {
	for version, fenced := range map[string]bool{
		"tmux 3.3a\n": true, "tmux 3.0": true, "tmux next-3.6": true, "tmux 10.1": true,
		"tmux 2.9a": false, "tmux 1.8": false, "tmux master": false, "tmux openbsd-7.1": false, "": false,
	} {
		all := tmuxbox.Capabilities(version)
		if got := slices.Contains(all, rpp.CapInputFence); got != fenced || len(all) < 4 {
			t.Errorf("%q declares %v", version, all)
		}
	}
}
