package rpp

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gastownhall/tmux-carrier/box"
)

// shells are those of BOX-4; how a runtime may run a command line in one.
var shells = map[string][]string{
	"dash": {"dash"}, "bash": {"bash"}, "bash --posix": {"bash", "--posix"},
	"busybox ash": {"busybox", "ash"}, "mksh": {"mksh"}, "sh -eu": {"sh", "-eu"},
}

var manners = map[string]string{
	"sh -c": `exec %s -c "$(cat)"`,
	"stdin": `exec %s`,
}

// hostile arguments: each must arrive as it is.
var hostile = []string{
	"", "plain", " ", "a b", "'", "''", `"`, `\`, `\\n`, "$HOME", "$(echo no)", "`echo no`", "a;b", ";", "&", "|", "#x",
	"*", "?", "[a-z]*", "~", "~root", "!x", "{a,b}", "a=b", "-n", "--", "%s%d", "\n", "a\nb", "trailing\n", "trailing\n\n",
	"\ttab\t", "\r\n", "a\u00a0b", "\u00a0", "❯ ", "日本", "e\u0301", "👩‍👩‍👧", "\x1b[201~", "\x01\x7f", "\xff\xfe", "'\"'\"'", "\\'", "<<EOF\nx\nEOF",
	"if", "}", "done", "a\\\nb", strings.Repeat("'", 2000),
}

// RPP-12, BOX-4: the command line survives both manners in every shell, in one
// call, the last argument ending in a newline too.
func TestExecCommandLine(t *testing.T) {
	t.Parallel()
	show, want := showArgs(t, hostile)
	for name, shell := range shells {
		if _, err := exec.LookPath(shell[0]); err != nil {
			t.Logf("%s is not installed", name)
			continue
		}
		for manner, form := range manners {
			t.Run(name+"/"+manner, func(t *testing.T) {
				t.Parallel()
				p := script(t, fmt.Sprintf(form, strings.Join(shell, " ")))
				out, code, err := p.Exec(t.Context(), "s", append([]string{show}, hostile...))
				if string(out) != want || code != 0 || err != nil {
					t.Errorf("got %q, %d, %v\nwant %q", out, code, err, want)
				}
				out, _, _ = p.Exec(t.Context(), "s", []string{"sh", "-c", `printf %s "$1"`, "sh", "end\n"})
				if string(out) != "end\n" {
					t.Errorf("a newline at the very end: %q", out)
				}
			})
		}
	}
}

// showArgs is an executable that prints its arguments so that none can be
// mistaken, and what it prints of args.
func showArgs(t testing.TB, args []string) (path, want string) {
	t.Helper()
	p := script(t, `exec printf '<%s>' "$@"`)
	for _, arg := range args {
		want += "<" + arg + ">"
	}
	return p.Command[0], want
}

// RPP-12: any argument survives sh, read either way.
func FuzzExecQuoting(f *testing.F) {
	for i := range hostile {
		f.Add(hostile[i], hostile[(i+7)%len(hostile)])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		line, err := box.CommandLine([]string{"printf", "<%s>", a, b})
		if strings.ContainsRune(a+b, 0) {
			if !errors.Is(err, box.ErrNUL) {
				t.Fatalf("a NUL: %v", err)
			}
			return
		}
		if errors.Is(err, box.ErrCommandTooLong) {
			return
		}
		asArg := exec.Command("sh", "-c", line)
		asStdin := exec.Command("sh")
		asStdin.Stdin = strings.NewReader(line)
		for _, cmd := range []*exec.Cmd{asArg, asStdin} {
			cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
			out, err := cmd.CombinedOutput()
			if want := "<" + a + "><" + b + ">"; string(out) != want || err != nil {
				t.Fatalf("%q: got %q, %v, want %q", line, out, err, want)
			}
		}
	})
}

// RPP-12: both streams in their order, the command's own code.
func TestExecOutput(t *testing.T) {
	t.Parallel()
	p := script(t, `exec sh -c "$(cat)"`)
	for _, code := range []int{0, 1, 2, 75, 127, 255} {
		out, got, err := p.Exec(t.Context(), "s", []string{"sh", "-c", "echo 1; echo 2 >&2; echo 3; exit $0", itoa(code)})
		if string(out) != "1\n2\n3\n" || got != code || err != nil {
			t.Errorf("exit %d: got %q, %d, %v", code, out, got, err)
		}
	}
}

// RPP-12: what is refused, what is an outage.
func TestExecErrors(t *testing.T) {
	t.Parallel()
	p := script(t, `echo >$DIR/ran; cat >/dev/null`)
	if _, _, err := p.Exec(t.Context(), "s", []string{"echo", strings.Repeat("x", box.MaxCommand)}); !errors.Is(err, box.ErrCommandTooLong) {
		t.Errorf("too long: %v", err)
	}
	if _, _, err := p.Exec(t.Context(), "s", []string{"echo", "a\x00b"}); !errors.Is(err, box.ErrNUL) {
		t.Errorf("NUL: %v", err)
	}
	if _, _, err := p.Exec(t.Context(), "s", nil); err == nil {
		t.Error("no command: no error")
	}
	if _, err := os.Stat(filepath.Join(p.Dir, "ran")); err == nil {
		t.Error("it was run")
	}
	if _, _, err := p.Exec(t.Context(), "s", []string{"echo", strings.Repeat("x", box.MaxCommand-len("echo "))}); err != nil {
		t.Errorf("the longest: %v", err)
	}
	for _, p := range []*Provider{
		{},
		{Command: []string{filepath.Join(p.Dir, "none")}},
		{Command: []string{"no-such-runtime-anywhere"}},
		{Command: []string{p.Dir}},
		{Command: p.Command, Dir: filepath.Join(p.Dir, "none")},
		script(t, `kill -KILL $$`),
	} {
		_, _, err := p.Exec(t.Context(), "s", []string{"true"})
		if e := (*OpError)(nil); !errors.Is(err, box.ErrUnavailable) || !errors.As(err, &e) || e.Code != -1 {
			t.Errorf("%v: got %v, want an outage", p.Command, err)
		}
	}
}

// The longest command that the protocol allows, run both ways.
func TestExecLongest(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("é'", 13<<10)
	for manner, form := range manners {
		p := script(t, fmt.Sprintf(form, "sh"))
		out, _, err := p.Exec(t.Context(), "s", []string{"printf", "%s", text})
		if string(out) != text || err != nil {
			t.Errorf("%s: %d of %d bytes, %v", manner, len(out), len(text), err)
		}
	}
}

func BenchmarkExec(b *testing.B) {
	p := script(b, `exec sh -c "$(cat)"`)
	for b.Loop() {
		if _, _, err := p.Exec(b.Context(), "s", []string{"true"}); err != nil {
			b.Fatal(err)
		}
	}
}
