package runtimetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gastownhall/tmux-carrier/rpp"
)

// RUN-2: the steps run in the box, in order; one that fails is a warning, without
// its output.
func setup(t *testing.T, r *Rig) {
	host := t.TempDir()
	mustWrite(t, filepath.Join(host, "pack", "both"), "pack")
	mustWrite(t, filepath.Join(host, "pack", "sub", "pack"), "pack")
	mustWrite(t, filepath.Join(host, "overlay", "both"), "overlay")
	mustWrite(t, filepath.Join(host, "file"), "file")
	mustLink(t, "no/such/target", filepath.Join(host, "overlay", "link"))
	mustLink(t, "file", filepath.Join(host, "link"))
	mustWrite(t, filepath.Join(host, "setup.sh"), "echo script $GC_A >>order\nls both >>order")

	got := r.Start(t, "setup", rpp.StartConfig{
		Command:            "while [ ! -e live ]; do sleep 0.1; done; sleep 1000",
		Env:                map[string]string{"GC_A": "a"},
		PreStart:           []string{"ls both >>order 2>/dev/null || echo pre_start $GC_A >>order", "echo already exists; echo ALREADY RUNNING >&2; exit 3"},
		PackOverlayDirs:    []string{filepath.Join(host, "pack"), filepath.Join(host, "no-such-pack")},
		OverlayDir:         filepath.Join(host, "overlay"),
		CopyFiles:          []rpp.CopyFile{{Src: filepath.Join(host, "file"), RelDst: "a/b/file"}, {Src: filepath.Join(host, "link")}, {Src: host + "/file", RelDst: "../out"}},
		SessionSetup:       []string{"tmux has-session -t =main && echo session_setup >>order", "kill -9 $$"},
		SessionSetupScript: filepath.Join(host, "setup.sh"),
		SessionLive:        []string{"echo session_live >>order", "touch live"},
	})
	if got.Code != 0 || got.Out != "" {
		t.Fatalf("start: %+v", got)
	}
	for _, want := range []string{"pre_start[1]", "no-such-pack", "copy_files", "session_setup[1]"} {
		if strings.Count(got.Err, want) != 1 {
			t.Errorf("warnings lack %s:\n%s", want, got.Err)
		}
	}
	if strings.Count(got.Err, "\n") != 4 || strings.Contains(strings.ToLower(got.Err), "already") {
		t.Errorf("warnings:\n%s", got.Err)
	}
	if got := r.Exec(t, "setup", "cat order"); got != "pre_start a\nsession_setup\nscript a\nboth\nsession_live\n" {
		t.Errorf("order of the steps:\n%s", got)
	}
	if got := r.Exec(t, "setup", "cat both sub/pack a/b/file; readlink link"); got != "overlaypackfilefile" && got != "overlaypackfilefile\n" {
		t.Errorf("files: %q", got)
	}
	if _, err := os.Lstat(filepath.Join(filepath.Dir(r.Work), "out")); err == nil {
		t.Error("copy_files wrote above the work_dir")
	}
}

// Copies stay below the work_dir, whatever links the agent has put there, and links
// stay links.
func copies(t *testing.T, r *Rig) {
	host := t.TempDir()
	mustWrite(t, filepath.Join(host, "tree", "sub", "file"), "content")
	mustLink(t, "/etc/passwd", filepath.Join(host, "tree", "link"))
	outside := t.TempDir()
	mustLink(t, outside, filepath.Join(r.Work, "escape"))
	mustWrite(t, filepath.Join(outside, "victim"), "untouched")
	mustLink(t, filepath.Join(outside, "victim"), filepath.Join(r.Work, "file"))
	r.MustStart(t, "copy", rpp.StartConfig{Command: "sleep 1000"})

	r.Must(t, "", "copy-to", "copy", filepath.Join(host, "tree"), "new/dir")
	if got := r.Exec(t, "copy", "cat new/dir/sub/file; readlink new/dir/link"); got != "content/etc/passwd\n" {
		t.Errorf("copied: %q", got)
	}
	// A link in the place of the file is replaced, not written through.
	r.Must(t, "", "copy-to", "copy", filepath.Join(host, "tree", "sub", "file"), "file")
	if got := r.Exec(t, "copy", "cat file"); got != "content" {
		t.Errorf("copied over a link: %q", got)
	}
	for _, dst := range []string{"../up", "a/../../up", "/abs", "escape/in"} {
		if got := r.Run(t, "", "copy-to", "copy", filepath.Join(host, "tree"), dst); got.Code != 1 {
			t.Errorf("copy-to %s: %+v", dst, got)
		}
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 1 {
		t.Errorf("something was copied out of the work_dir: %v", entries)
	}
	if data, _ := os.ReadFile(filepath.Join(outside, "victim")); string(data) != "untouched" {
		t.Errorf("written through a link: %q", data)
	}
	// Onto itself, and a directory that holds its own destination.
	r.Must(t, "", "copy-to", "copy", filepath.Join(r.Work, "new"), "new")
	r.Must(t, "", "copy-to", "copy", filepath.Dir(r.Work), "above")
	if got := r.Exec(t, "copy", "cat new/dir/sub/file"); got != "content" {
		t.Errorf("copied onto itself: %q", got)
	}
	if _, err := os.Lstat(filepath.Join(r.Work, "above", filepath.Base(r.Work))); err == nil {
		t.Error("a directory was copied into itself")
	}
}
