package rpp

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary is the executable of several tests: the value says which.
const helperEnv = "RPP_TEST_HELPER"

// Every process of this run carries this variable, so that none is left unseen.
const runEnv = "RPP_TEST_RUN"

func TestMain(m *testing.M) {
	if helper := os.Getenv(helperEnv); helper != "" {
		helpers[helper]()
		os.Exit(0)
	}
	mark := fmt.Sprintf("%d-%d", os.Getpid(), time.Now().UnixNano())
	os.Setenv(runEnv, mark)
	code := m.Run()
	if left := leftovers(mark); left != "" {
		fmt.Fprintf(os.Stderr, "processes left behind:\n%s", left)
		code = max(code, 1)
	}
	os.Exit(code)
}

// leftovers lists the processes of this run that are still there.
func leftovers(mark string) (left string) {
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		left = ""
		environs, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, file := range environs {
			pid := filepath.Base(filepath.Dir(file))
			env, _ := os.ReadFile(file)
			if pid != strconv.Itoa(os.Getpid()) && bytes.Contains(env, []byte(runEnv+"="+mark+"\x00")) {
				cmdline, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
				left += fmt.Sprintf("%s %q\n", pid, cmdline)
			}
		}
		if left == "" {
			break
		}
	}
	return left
}

// script is a runtime of a few lines of sh; $DIR is the test's directory.
func script(t testing.TB, body string) *Provider {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "runtime")
	// A fork of another test's while the file is open for writing would make it
	// "text file busy".
	syscall.ForkLock.RLock()
	err := os.WriteFile(path, []byte("#!/bin/sh\nDIR='"+dir+"'\n"+body+"\n"), 0o700)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	return &Provider{Command: []string{path}, Dir: dir}
}

// helper is a provider whose executable is this test binary.
func helper(t testing.TB, name string, args ...string) *Provider {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &Provider{
		Command: append([]string{self}, args...),
		Env: append(os.Environ(), helperEnv+"="+name,
			"GORACE=atexit_sleep_ms=0"), // under -race a Go program sleeps 1 s at its exit
		Dir: t.TempDir(),
	}
}

func waitUntil(t testing.TB, what string, done func() (bool, string)) {
	t.Helper()
	var saw string
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		var ok bool
		if ok, saw = done(); ok {
			return
		}
	}
	t.Fatalf("waited in vain until %s; saw: %s", what, saw)
}

// readWhen is a file's content once it has a whole line.
func readWhen(t testing.TB, path string) (text string) {
	t.Helper()
	waitUntil(t, path+" is written", func() (bool, string) {
		data, err := os.ReadFile(path)
		text = string(data)
		return strings.HasSuffix(text, "\n"), fmt.Sprintf("%q, %v", text, err)
	})
	return strings.TrimSpace(text)
}

func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

// endLater kills the process of a pid file when the test is over.
func endLater(t testing.TB, file string) (pid int) {
	t.Helper()
	pid, err := strconv.Atoi(readWhen(t, file))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
		waitUntil(t, fmt.Sprintf("process %d is gone", pid), func() (bool, string) { return !alive(pid), "it lives" })
	})
	return pid
}
