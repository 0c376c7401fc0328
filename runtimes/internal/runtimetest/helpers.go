package runtimetest

import (
	"bufio"
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
