package local

import (
	"bytes"
	"os"
	"slices"
	"strings"

	"github.com/gastownhall/tmux-carrier/runtimes/internal/mark"
	"github.com/gastownhall/tmux-carrier/runtimes/internal/tmuxbox"
)

// ours are the variables that decide which tmux server, and which box, a process
// belongs to; the session has no say in them.
var ours = []string{"TMUX", "TMUX_PANE", "TMUX_TMPDIR", mark.Variable}

// merge lays env over the base environment; an empty value is unset.
func merge(base []string, env map[string]string) []string {
	merged := slices.DeleteFunc(slices.Clone(base), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		_, overridden := env[name]
		return overridden || slices.Contains(ours, name)
	})
	for name, value := range env {
		if value != "" && !slices.Contains(ours, name) {
			merged = append(merged, name+"="+value)
		}
	}
	slices.Sort(merged)
	return merged
}

// The environment lies in a file of the box as the kernel has it: NAME=value,
// ended by a NUL.
const envFile = "environment"

func saveEnv(b *tmuxbox.Box, env map[string]string) error {
	var data bytes.Buffer
	for _, entry := range merge(os.Environ(), env) {
		data.WriteString(entry + "\x00")
	}
	return os.WriteFile(b.Path(envFile), data.Bytes(), 0o600)
}

func loadEnv(b *tmuxbox.Box) ([]string, error) {
	data, err := os.ReadFile(b.Path(envFile))
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00"), nil
}
