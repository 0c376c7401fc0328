// Command report runs `go test -json` and shows what a person wants to know of it: a
// line a package, the output of what failed, and at the end every test that was
// skipped, with its reason. Its exit status is the tests'.
//
//	report go test -json ./...
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(argv []string) int {
	if len(argv) == 0 {
		fmt.Fprintln(os.Stderr, "usage: report go test -json PACKAGE...")
		return 64
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	// Ctrl-C goes to the tests, which clean up; this waits for them.
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s)
		}
	}()
	r := report{output: map[test]*strings.Builder{}, out: os.Stdout}
	r.read(out)
	err = cmd.Wait()
	r.summary()
	if err != nil || r.failed > 0 {
		return 1
	}
	return 0
}

// event is a line of go test -json (go doc test2json).
type event struct {
	Action  string
	Package string
	Test    string
	Elapsed float64
	Output  string
}

type test struct{ pkg, name string }

type report struct {
	out                     io.Writer
	output                  map[test]*strings.Builder // of tests under way
	skipped                 []string
	passed, failed, skips   int
	packages, withoutAnyOne int
}

func (r *report) read(in io.Reader) {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		switch {
		case len(line) > 0 && json.Unmarshal(line, &e) != nil:
			_, _ = r.out.Write(line) // of the go command itself
		case len(line) > 0:
			r.event(e)
		}
		if err != nil {
			return
		}
	}
}

func (r *report) event(e event) {
	key := test{e.Package, e.Test}
	switch e.Action {
	case "output", "build-output":
		if e.Action == "build-output" {
			fmt.Fprint(r.out, e.Output)
			return
		}
		if r.output[key] == nil {
			r.output[key] = &strings.Builder{}
		}
		r.output[key].WriteString(e.Output)
		return
	case "pass", "fail", "skip":
	default:
		return
	}
	text := ""
	if b := r.output[key]; b != nil {
		text = b.String()
	}
	delete(r.output, key)
	if e.Test == "" {
		r.ended(e, text)
		return
	}
	switch e.Action {
	case "pass":
		r.passed++
	case "fail":
		r.failed++
		fmt.Fprintf(r.out, "--- %s\n%s", e.Package, text)
	case "skip":
		r.skips++
		r.skipped = append(r.skipped, fmt.Sprintf("%s %s: %s", short(e.Package), e.Test, reason(text)))
	}
}

// ended is a package's end.
func (r *report) ended(e event, text string) {
	took := time.Duration(e.Elapsed * float64(time.Second)).Round(100 * time.Millisecond)
	switch e.Action {
	case "pass":
		r.packages++
		fmt.Fprintf(r.out, "ok    %s  %s\n", short(e.Package), took)
	case "fail":
		r.failed++
		fmt.Fprintf(r.out, "%sFAIL  %s  %s\n", text, short(e.Package), took)
	case "skip":
		r.withoutAnyOne++
	}
}

func (r *report) summary() {
	fmt.Fprintf(r.out, "%d tests passed, %d failed, %d were skipped; %d packages, and %d without tests\n",
		r.passed, r.failed, r.skips, r.packages, r.withoutAnyOne)
	for _, s := range r.skipped {
		fmt.Fprintln(r.out, "skipped:", s)
	}
}

func short(pkg string) string {
	return strings.TrimPrefix(pkg, "github.com/gastownhall/tmux-carrier/")
}

// reason is what a skipped test said, without the lines of the test command.
func reason(output string) string {
	var said []string
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ") {
			continue
		}
		said = append(said, line)
	}
	return strings.Join(said, " ")
}
