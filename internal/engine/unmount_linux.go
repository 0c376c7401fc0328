package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// unmount unmounts what is mounted below dir, and dir itself where dockerd
// mounted it on itself: it does so to its data directory, and leaves it when it
// is killed. A volume that a user mounted there is another device, and stays.
func unmount(dir string) error {
	data, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		return err
	}
	var points []string
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 1 && (strings.HasPrefix(f[1], dir+"/") || f[1] == dir && onParentsDevice(dir)) {
			points = append(points, f[1])
		}
	}
	slices.Reverse(points) // the inner ones first
	for _, p := range points {
		if e := unix.Unmount(p, unix.MNT_DETACH); e != nil {
			err = errors.Join(err, fmt.Errorf("engine: unmount %s: %w", p, e))
		}
	}
	return err
}

func onParentsDevice(dir string) bool {
	var s, parent unix.Stat_t
	return unix.Stat(dir, &s) == nil && unix.Stat(filepath.Dir(dir), &parent) == nil && s.Dev == parent.Dev
}
