package live_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// SLP-3: what a sleep keeps and what it loses is as the package says.
func TestKeeps(t *testing.T) { everywhere(t, testKeeps) }

func testKeeps(t *testing.T, r *rig) {
	r.add("a", "interactive_resume", "1s")
	r.config += fmt.Sprintf("[[session]]\nname = %q\n[session.start]\ncommand = %q\n", "bare", "exec sleep 1000")
	r.names = append(r.names, "bare")
	s := r.sessions()
	box := func(name, script string) string {
		t.Helper()
		out, code, err := r.runtime.Exec(t.Context(), name, []string{"sh", "-c", script})
		if err != nil || code != 0 {
			t.Fatalf("%s: %q: %d, %v: %s", name, script, code, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	for _, name := range r.names {
		if err := s.Start(t.Context(), name, ""); err != nil {
			t.Fatal(err)
		}
	}
	// The directory that the runtime gave the box, not the machine's own /tmp.
	only := `"${TMUX_TMPDIR:-/tmp}/only"`
	for _, name := range r.names {
		box(name, `echo kept >made; : >`+only)
	}
	box("a", `sleep 1234 >/dev/null 2>&1 & echo $! >background`)
	if _, err := r.runtime.SendKeys(t.Context(), "a", strings.Split("word", "")...); err != nil {
		t.Fatal(err)
	}
	r.wait("the word is on the screen", func() bool {
		screen, _, err := r.runtime.Peek(t.Context(), "a", 0)
		return err == nil && strings.Contains(screen, "word")
	})
	if _, err := r.runtime.SetMeta(t.Context(), "a", "key", "value"); err != nil {
		t.Fatal(err)
	}
	fence := box("a", `tmux show-options -pqv -t =main: @gc_fence`)
	for _, name := range r.names {
		if err := s.Stop(t.Context(), name); err != nil {
			t.Fatal(err)
		}
		if err := s.Start(t.Context(), name, ""); err != nil {
			t.Fatal(err)
		}
	}

	if got := box("a", `cat made`); got != "kept" {
		t.Errorf("of the work_dir: %q", got)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "work-a", "made")); err != nil {
		t.Error(err)
	}
	lost := map[string]string{
		"the box's own files":            `! [ -e ` + only + ` ]`,
		"processes in the background":    `[ "$(cat "/proc/$(cat background)/cmdline" 2>/dev/null | tr '\0' ' ')" != 'sleep 1234 ' ]`,
		"the screen and the scrollback":  `! tmux capture-pane -p -S - -t =main: | grep -q "a word"`,
		"the fence of the earlier agent": `[ "$(tmux show-options -pqv -t =main: @gc_fence)" != '` + fence + `' ]`,
	}
	for what, script := range lost {
		if got := box("a", "if "+script+"; then echo lost; else echo kept; fi"); got != "lost" {
			t.Errorf("%s: %s", what, got)
		}
	}
	if got := box("bare", `if [ -e made ]; then echo kept; else echo lost; fi`); got != "lost" {
		t.Errorf("a work_dir that the runtime made: %s", got)
	}
	if got, err := r.runtime.GetMeta(t.Context(), "a", "key"); err != nil || got != "" {
		t.Errorf("metadata: %q, %v", got, err)
	}
}
