package local

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/runtimes/internal/runtimetest"
)

// asNobody lets the rig's operations run as a user whom modes can keep out.
func asNobody(t *testing.T) (r *runtimetest.Rig, home string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("not root: cannot become nobody")
	}
	setpriv, err := exec.LookPath("setpriv")
	if err != nil {
		t.Skip("no setpriv(1)")
	}
	home, err = os.MkdirTemp("/tmp", "gc") // t.TempDir's parents are root's alone
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(home, "runtime")
	if err := os.WriteFile(program, self, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(home, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	r = rigIn(t, filepath.Join(home, "state"))
	r.Argv = []string{setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", program}
	r.Work = filepath.Join(home, "work")
	return r, home
}

const nobody = 65534

// A work_dir that cannot be one fails the start, which says so and removes nothing.
func TestWorkDirIsNone(t *testing.T) {
	r := newRig(t)
	file := filepath.Join(r.Work, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	loop := filepath.Join(r.Work, "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	dangling := filepath.Join(r.Work, "dangling")
	if err := os.Symlink(filepath.Join(r.Work, "nothing"), dangling); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below"), loop, dangling} {
		refuse(t, r, dir)
	}
	for _, path := range []string{file, loop, dangling} {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
}

func TestWorkDirIsClosed(t *testing.T) {
	r, home := asNobody(t)
	closed := filepath.Join(home, "closed")
	if err := os.Mkdir(closed, 0o700); err != nil { // root's
		t.Fatal(err)
	}
	for _, dir := range []string{closed, filepath.Join(closed, "below"), "/no-such-dir"} {
		refuse(t, r, dir)
	}
}

func refuse(t *testing.T, r *runtimetest.Rig, dir string) {
	t.Helper()
	for _, op := range []string{"start", "provision"} {
		got := r.Run(t, runtimetest.Config(t, rpp.StartConfig{Command: "sleep 1000", WorkDir: dir}), op, "s")
		if got.Code != 1 || !strings.Contains(got.Err, "work_dir: ") || !strings.Contains(got.Err, dir) {
			t.Errorf("%s in %s: %+v", op, dir, got)
		}
	}
}
