package tmuxbox

import (
	"context"
	_ "embed"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/rpp"
)

//go:embed processes.sh
var processesScript string

// process is one process of an agent's tree.
type process struct {
	pid, ppid int
	names     []string // comm; then the names of argv[0] and argv[1]
}

// tree lists the process pid in the box and its descendants.
func (r *runtime) tree(ctx context.Context, b *Box, pid int) ([]process, error) {
	out, err := r.run(ctx, b, "", "sh", "-c", processesScript, "processes", strconv.Itoa(pid))
	if err != nil {
		return nil, err
	}
	return descendants(parseProcesses(out), pid), nil
}

// parseProcesses reads lines of pid, ppid, and names separated by tabs.
func parseProcesses(out string) []process {
	var all []process
	for line := range strings.Lines(out) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) < 3 {
			continue
		}
		pid, err1 := strconv.Atoi(f[0])
		ppid, err2 := strconv.Atoi(f[1])
		if err1 == nil && err2 == nil {
			all = append(all, process{pid: pid, ppid: ppid, names: f[2:]})
		}
	}
	return all
}

func descendants(all []process, root int) []process {
	in := map[int]bool{root: true}
	var found []process
	for grown := true; grown; { // parents may be listed behind their children
		grown = false
		all = slices.DeleteFunc(all, func(p process) bool {
			if !in[p.pid] && !in[p.ppid] {
				return false
			}
			in[p.pid], grown = true, true
			found = append(found, p)
			return true
		})
	}
	return found
}

// named tells whether the process goes by the name: as the kernel has it, cut to 15
// bytes there; as it was called; or as the script that an interpreter runs, since
// most agents are a node or python program.
func (p process) named(name string) bool {
	for i, n := range p.names {
		switch {
		case n == name, path.Base(n) == name:
			return true
		case i == 0 && len(n) == 15 && strings.HasPrefix(name, n):
			return true
		}
	}
	return false
}

// processAlive tells whether one of the names is alive in the agent's process tree;
// without names, whether the agent is.
func (r *runtime) processAlive(ctx context.Context, name string, names []string) (bool, error) {
	b, a, err := r.live(ctx, name)
	if err != nil || len(names) == 0 {
		return yesNo(err)
	}
	return r.seen(ctx, b, a, names)
}

func (r *runtime) seen(ctx context.Context, b *Box, a agent, names []string) (bool, error) {
	tree, err := r.tree(ctx, b, a.PID)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(tree, func(p process) bool {
		return slices.ContainsFunc(names, p.named)
	}), nil
}

// processTimeout is how long a start waits to see one of process_names.
const processTimeout = 30 * time.Second

// awaitProcess waits until one of process_names runs. That none does is a warning
// (RUN-2); an agent that ends meanwhile is for the caller to judge.
func (l *life) awaitProcess(ctx context.Context) error {
	if len(l.cfg.ProcessNames) == 0 || l.cfg.Lifecycle == rpp.LifecycleOneShot {
		return nil // a one_shot may have come and gone
	}
	for deadline := time.Now().Add(processTimeout); time.Now().Before(deadline); {
		a, err := l.agent(ctx, l.Box)
		if a.Dead || errors.Is(err, box.ErrAbsent) {
			return nil
		}
		if err != nil {
			return err
		}
		if seen, err := l.seen(ctx, l.Box, a, l.cfg.ProcessNames); seen || err != nil {
			return err
		}
		if !sleep(ctx, 100*time.Millisecond) {
			return context.Cause(ctx)
		}
	}
	l.warn("process_names: none of them seen within %v", processTimeout)
	return nil
}
