package docker

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/gastownhall/tmux-carrier/runtimes/internal/mark"
	"github.com/gastownhall/tmux-carrier/runtimes/internal/tmuxbox"
)

var (
	//go:embed enter.sh
	enterScript string
	//go:embed settle.sh
	settleScript string
)

// engine makes boxes of containers.
type engine struct{ Config }

// A container is named for its box's id, and labeled with the session and the state
// directory that it belongs to: one that a killed start left behind before anybody
// was told its name is found by these.
const (
	labelSession = "tmux-carrier.session="
	labelState   = "tmux-carrier.state="
)

func container(b *tmuxbox.Box) string { return "gc-" + b.ID }

// Make runs a container whose own process does nothing, under an init that reaps
// what daemons leave behind, and settles the environment in it.
func (e engine) Make(ctx context.Context, b *tmuxbox.Box, env map[string]string) error {
	labels, err := labels(b)
	if err != nil {
		return err
	}
	args := []string{"run", "--detach", "--init", "--name", container(b), "--workdir", b.WorkDir, "--mount", mount(b.WorkDir)}
	for _, label := range labels {
		args = append(args, "--label", label)
	}
	if e.User != "" {
		args = append(args, "--user", e.User)
	}
	args = append(args, e.Args...)
	args = append(args, "--entrypoint", "sleep", "--", e.Image, "2147483647")
	if _, err := e.docker(ctx, args...); err != nil {
		return err
	}
	// A work_dir that was made for this box becomes its user's, who then can enter it.
	give, enter := b.MadeWorkDir && os.Geteuid() == 0, b.WorkDir
	if give {
		enter = "/"
	}
	cmd := e.command(ctx, b, "exec", "--interactive", container(b), "sh", "-c", settleScript, "settle", e.Inside(b), enter)
	cmd.Stdin = strings.NewReader(encode(env))
	owner, err := output(cmd)
	if err != nil {
		return err
	}
	var uid, gid int
	if _, err := fmt.Sscanf(owner, "%d %d", &uid, &gid); err != nil {
		return fmt.Errorf("the container's user: %q: %w", owner, err)
	}
	if give {
		return os.Chown(b.WorkDir, uid, gid)
	}
	return nil
}

// mount is a CSV record: a path may have commas in it.
func mount(dir string) string {
	var s strings.Builder
	w := csv.NewWriter(&s)
	_ = w.Write([]string{"type=bind", "src=" + dir, "dst=" + dir})
	w.Flush()
	return strings.TrimSpace(s.String())
}

// encode writes the environment for enter.sh: a line with a name and the number of
// lines of its value, then those; 0 is unset.
func encode(env map[string]string) string {
	var s strings.Builder
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if env[name] == "" {
			fmt.Fprintf(&s, "%s 0\n", name)
			continue
		}
		fmt.Fprintf(&s, "%s %d\n%s\n", name, strings.Count(env[name], "\n")+1, env[name])
	}
	return s.String()
}

func (engine) Inside(b *tmuxbox.Box) string { return "/tmp/gc-box-" + b.ID }

func (e engine) Command(ctx context.Context, b *tmuxbox.Box, argv ...string) *exec.Cmd {
	return e.enter(ctx, b, []string{"exec", "--interactive"}, argv)
}

// Terminal takes the name of the terminal over from docker's own environment.
func (e engine) Terminal(ctx context.Context, b *tmuxbox.Box, argv ...string) *exec.Cmd {
	cmd := e.enter(ctx, b, []string{"exec", "--interactive", "--tty", "--env", "TERM"}, argv)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd
}

func (e engine) enter(ctx context.Context, b *tmuxbox.Box, how, argv []string) *exec.Cmd {
	enter := []string{container(b), "sh", "-c", enterScript, "enter", e.Inside(b), b.WorkDir}
	return e.command(ctx, b, slices.Concat(how, enter, argv)...)
}

// Up: a container that was stopped, or is gone, cannot be entered.
func (e engine) Up(ctx context.Context, b *tmuxbox.Box) (bool, error) {
	out, err := e.docker(ctx, "ps", "--quiet", "--filter", "name=^"+container(b)+"$", "--filter", "status=running")
	return out != "", err
}

// Unmake removes every container that was made for the session.
func (e engine) Unmake(ctx context.Context, b *tmuxbox.Box) error {
	labels, err := labels(b)
	if err != nil {
		return err
	}
	args := []string{"ps", "--all", "--quiet", "--no-trunc"}
	for _, label := range labels {
		args = append(args, "--filter", "label="+label)
	}
	ids, err := e.docker(ctx, args...)
	if err != nil || ids == "" {
		return err
	}
	_, err = e.docker(ctx, append([]string{"rm", "--force", "--volumes"}, strings.Fields(ids)...)...)
	return err
}

func labels(b *tmuxbox.Box) ([]string, error) {
	state, err := tmuxbox.StateDir(runtimeName)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(state))
	return []string{labelSession + b.Name, labelState + hex.EncodeToString(sum[:8])}, nil
}

// command runs docker for a box; it carries the box's mark.
func (e engine) command(ctx context.Context, b *tmuxbox.Box, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "docker", args...)
	cmd.Env = append(os.Environ(), mark.Variable+"="+b.ID)
	return cmd
}

// docker runs docker and returns what it printed, trimmed.
func (e engine) docker(ctx context.Context, args ...string) (string, error) {
	return output(exec.CommandContext(ctx, "docker", args...))
}

func output(cmd *exec.Cmd) (string, error) {
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		said, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
		err = fmt.Errorf("docker %s: %s", cmd.Args[1], strings.ToValidUTF8(said, "\uFFFD"))
	}
	return strings.TrimSpace(string(out)), err
}
