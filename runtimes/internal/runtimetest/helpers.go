package runtimetest

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

var itoa = strconv.Itoa

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func mustWrite(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func mustLink(t testing.TB, target, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

// NoProcesses checks that no process of this host knows of the state directory any
// more: every one that a runtime starts does, by its environment.
func NoProcesses(t testing.TB, state string) {
	t.Helper()
	left := func() (all []string) {
		environs, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, path := range environs {
			env, err := os.ReadFile(path)
			if err == nil && bytes.Contains(env, []byte("GC_EXEC_STATE_DIR="+state+"\x00")) {
				cmdline, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
				all = append(all, filepath.Base(filepath.Dir(path))+" "+string(bytes.ReplaceAll(cmdline, []byte{0}, []byte{' '})))
			}
		}
		return all
	}
	for end := time.Now().Add(5 * time.Second); len(left()) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("processes are left: %q", left())
			return
		}
	}
}

// lines reads a stream line by line, and gives up after a while.
type lines chan string

func newLines(r io.Reader) lines {
	l := make(lines, 100)
	go func() {
		defer close(l)
		for s := bufio.NewScanner(r); s.Scan(); {
			l <- s.Text()
		}
	}()
	return l
}

func (l lines) next(t testing.TB) string {
	t.Helper()
	select {
	case line, ok := <-l:
		if !ok {
			t.Fatal("the stream has ended")
		}
		return line
	case <-time.After(patience):
		t.Fatal("no line")
	}
	return ""
}
