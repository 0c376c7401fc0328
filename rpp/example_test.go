package rpp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gastownhall/tmux-carrier/rpp"
)

// A runtime can be ten lines of sh. This one has a single box, this machine, and
// no operation but three.
const tiny = `#!/bin/sh
case $1 in
protocol)   echo '{"version":0,"capabilities":["proc.exec"]}' ;;
is-running) echo true ;;
exec)       exec sh -c "$(cat)" ;;
*)          exit 2 ;; # unknown operation
esac
`

func ExampleProvider() {
	dir, err := os.MkdirTemp("", "rpp-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "tiny")
	if err := os.WriteFile(path, []byte(tiny), 0o700); err != nil {
		fmt.Println(err)
		return
	}

	ctx := context.Background()
	p, err := rpp.New("exec:" + path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("has exec:", p.Has(ctx, rpp.CapExec))

	out, code, err := p.Exec(ctx, "worker-1", []string{"sh", "-c", `echo "$1"; exit 3`, "sh", "it's; here"})
	fmt.Printf("%q %d %v\n", out, code, err)

	// Ignored is not done: the runtime has no nudge of its own.
	handled, err := p.Nudge(ctx, "worker-1", "hello")
	fmt.Println("nudge handled:", handled, err)

	// A start is never unknown.
	err = p.Start(ctx, "worker-1", rpp.StartConfig{Command: "claude"})
	var failed *rpp.OpError
	fmt.Println("start:", errors.As(err, &failed), err)
	// Output:
	// has exec: true
	// "it's; here\n" 3 <nil>
	// nudge handled: false <nil>
	// start: true start "worker-1": exit status 2 (unknown operation)
}

// A minimal runtime in Go: a session is a directory, in which exec runs. Its main
// is `rpp.Main(rt)`; Serve is one invocation of it.
func ExampleServe() {
	root, err := os.MkdirTemp("", "rpp-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(root)
	box := func(name string) string { return filepath.Join(root, name) }

	rt := rpp.Runtime{
		Capabilities: func(context.Context) ([]string, error) { return []string{rpp.CapExec}, nil },
		Start: func(_ context.Context, name string, _ rpp.StartConfig, _ func(string, ...any)) error {
			err := os.Mkdir(box(name), 0o700)
			if errors.Is(err, os.ErrExist) {
				err = rpp.ErrExists // a live session's: its caller leaves it alone
			}
			return err
		},
		Stop: func(_ context.Context, name string) error { return os.RemoveAll(box(name)) },
		IsRunning: func(_ context.Context, name string) (bool, error) {
			_, err := os.Stat(box(name))
			if errors.Is(err, os.ErrNotExist) {
				return false, nil
			}
			return err == nil, err
		},
		Exec: func(ctx context.Context, name, command string, out io.Writer) (int, error) {
			cmd := exec.CommandContext(ctx, "sh", "-c", command)
			cmd.Dir, cmd.Stdout, cmd.Stderr = box(name), out, out
			err := cmd.Run()
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
				return exit.ExitCode(), nil
			}
			return 0, err
		},
	}

	run := func(stdin string, args ...string) {
		var out, errOut bytes.Buffer
		code := rpp.Serve(context.Background(), rt, args, strings.NewReader(stdin), &out, &errOut)
		fmt.Printf("%s: %d %q %q\n", args[0], code, out.String(), errOut.String())
	}
	run("", "protocol")
	run("{}", "start", "s")
	run("{}", "start", "s")
	run("", "is-running", "s")
	run("echo hi; exit 4", "exec", "s")
	run("hello", "nudge", "s")
	run("", "stop", "s")
	// Output:
	// protocol: 0 "{\"version\":0,\"capabilities\":[\"proc.exec\"]}\n" ""
	// start: 0 "" ""
	// start: 1 "" "start: the session already exists\n"
	// is-running: 0 "true\n" ""
	// exec: 4 "hi\n" ""
	// nudge: 2 "" ""
	// stop: 0 "" ""
}
