package rpp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"time"
)

// fileRuntime keeps a session in a directory of files, and runs its commands in
// it.
func fileRuntime() Runtime {
	file := func(name, what string) string { return filepath.Join("box-"+name, what) }
	put := func(what string) func(context.Context, string) error {
		return func(_ context.Context, name string) error { return os.WriteFile(file(name, what), nil, 0o600) }
	}
	there := func(name, what string) (bool, error) {
		_, err := os.Stat(file(name, what))
		return err == nil, nil
	}
	start := func(_ context.Context, name string, cfg StartConfig, warn func(string, ...any)) error {
		switch cfg.Command {
		case "busy":
			return fmt.Errorf("quota: %w", ErrTemporary)
		case "mkdir":
			return errors.New("mkdir x: file already exists")
		}
		if yes, _ := there(name, "config"); yes {
			return fmt.Errorf("box of %s: %w", name, ErrExists)
		}
		warn("link already exists\nit is already running: %d", 1)
		if err := os.MkdirAll("box-"+name, 0o700); err != nil {
			return err
		}
		data, err := json.Marshal(cfg)
		if err != nil {
			return err
		}
		return os.WriteFile(file(name, "config"), data, 0o600)
	}
	return Runtime{
		Capabilities: func(context.Context) ([]string, error) {
			return []string{CapExec, CapProvision, CapReportActivity, CapReportAttachment}, nil
		},
		Start: start, Provision: start,
		Stop:      func(_ context.Context, name string) error { return os.RemoveAll("box-" + name) },
		IsRunning: func(_ context.Context, name string) (bool, error) { return there(name, "config") },
		Exec: func(ctx context.Context, name, command string, out io.Writer) (int, error) {
			cmd := exec.CommandContext(ctx, "sh", "-c", command)
			cmd.Dir, cmd.Stdout, cmd.Stderr = "box-"+name, out, out
			err := cmd.Run()
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
				return exit.ExitCode(), nil
			}
			return 0, err
		},
		Attach:     put("attached"),
		IsAttached: func(_ context.Context, name string) (bool, error) { return there(name, "attached") },
		ProcessAlive: func(_ context.Context, _ string, processes []string) (bool, error) {
			return reflect.DeepEqual(processes, []string{"claude", "a b"}), nil
		},
		LastActivity: func(_ context.Context, name string) (time.Time, error) {
			if name == "never" {
				return time.Time{}, nil
			}
			return time.Date(2026, 1, 2, 3, 4, 5, 600, time.FixedZone("", 3600)), nil
		},
		Nudge: func(_ context.Context, name, text string) error {
			return os.WriteFile(file(name, "nudge"), []byte(text), 0o600)
		},
		SendKeys: func(_ context.Context, name string, keys []string) error {
			return os.WriteFile(file(name, "keys"), []byte(strings.Join(keys, "|")), 0o600)
		},
		Interrupt: put("interrupted"), ClearScrollback: put("cleared"),
		Peek: func(_ context.Context, _ string, lines int) (string, error) {
			return fmt.Sprintf("%d ❯\u00a0 \n\n", lines), nil
		},
		SetMeta: func(_ context.Context, name, key, value string) error {
			return os.WriteFile(file(name, "meta-"+key), []byte(value), 0o600)
		},
		GetMeta: func(_ context.Context, name, key string) (string, error) {
			data, err := os.ReadFile(file(name, "meta-"+key))
			if errors.Is(err, os.ErrNotExist) {
				err = nil
			}
			return string(data), err
		},
		RemoveMeta: func(_ context.Context, name, key string) error { return os.Remove(file(name, "meta-"+key)) },
		ListRunning: func(_ context.Context, prefix string) (names []string, err error) {
			boxes, err := filepath.Glob("box-" + prefix + "*")
			for _, b := range boxes {
				names = append(names, strings.TrimPrefix(b, "box-"))
			}
			return names, err
		},
		CopyTo: func(_ context.Context, name, src, relDst string) error {
			data, err := os.ReadFile(src)
			if err != nil {
				return err
			}
			return os.WriteFile(file(name, relDst), data, 0o600)
		},
		CheckImage: func(_ context.Context, image string) error {
			if image != "reg:5000/box@sha256:0" {
				return errors.New("no such image")
			}
			return nil
		},
		WatchStartup: func(_ context.Context, _ string, emit func(string) error) error {
			for _, screen := range []string{"one\ntwo <b>", "", "❯ "} {
				if err := emit(screen); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
