package tmuxbox

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/rpp"
)

// Box is what the host knows of one box: a private directory, which belongs to
// the session's name, and in it the record that names the box. The record is
// written before anything of the box is made, so whatever a killed start leaves
// behind has an owner that the next start and stop can find (RUN-4).
type Box struct {
	Name string `json:"-"` // the session
	Dir  string `json:"-"` // on the host: record, metadata, logs

	// ID is random: what belongs to this box, and not to an earlier one of the
	// same name, is known by it.
	ID      string `json:"id"`
	WorkDir string `json:"work_dir"`

	// MadeWorkDir: WorkDir was not there before; a rollback removes it if it is
	// empty.
	MadeWorkDir bool `json:"made_work_dir,omitempty"`

	// Warm is set when a provision is done.
	Warm *warm `json:"warm,omitempty"`
}

// Path is a file in the box's directory on the host.
func (b *Box) Path(name string) string { return filepath.Join(b.Dir, name) }

const record = "box.json"

// save writes the record whole or not at all.
func (b *Box) save() error {
	data, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return writeFile(b.Path(record), data)
}

// writeFile replaces a file in one step, readable by its owner only.
func writeFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// boxes is a runtime's state directory: one directory a session.
type boxes struct{ runtime string }

var nameChars = regexp.MustCompile(`^[A-Za-z0-9_.][A-Za-z0-9._-]*$`)

// dir is a session's directory, which need not exist.
func (s boxes) dir(name string) (string, error) {
	if !nameChars.MatchString(name) || name == "." || name == ".." || len(name) > 200 {
		return "", fmt.Errorf("%w: %q", rpp.ErrName, name)
	}
	root, err := StateDir(s.runtime)
	if err != nil {
		return "", err
	}
	return filepath.Join(root, name), nil
}

// find returns the session's box, or an error that is box.ErrAbsent. What it
// finds may be half made, or dead.
func (s boxes) find(name string) (*Box, error) {
	dir, err := s.dir(name)
	if err != nil {
		return nil, err
	}
	b := &Box{Name: name, Dir: dir}
	data, err := os.ReadFile(b.Path(record))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("session %q: no box: %w", name, box.ErrAbsent)
	case err != nil:
		return nil, fmt.Errorf("session %q: %w", name, err)
	}
	if err := json.Unmarshal(data, b); err != nil || b.ID == "" {
		// Records are written in one step, so this one was lost with the machine's
		// power, and the box's processes with it.
		return nil, fmt.Errorf("session %q: its record is broken: %w", name, box.ErrAbsent)
	}
	return b, nil
}

// lock takes the session's directory, made if create is set, until unlock. At
// most one start or stop of a name is at work; one that was killed holds nothing.
// Without a directory the error is box.ErrAbsent.
func (s boxes) lock(ctx context.Context, name string, create bool) (dir string, unlock func(), err error) {
	if dir, err = s.dir(name); err != nil {
		return "", nil, err
	}
	if unlock, err = lockDir(ctx, dir, create); err != nil {
		return "", nil, fmt.Errorf("session %q: %w", name, err)
	}
	return dir, unlock, nil
}

// names lists the sessions that have a directory, sorted.
func (s boxes) names() ([]string, error) {
	root, err := StateDir(s.runtime)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return slices.Clip(names), nil
}

// newID is 64 random bits: they go into file names of limited length, and nobody
// has to be kept from guessing them.
func newID() string {
	id := make([]byte, 8)
	_, _ = rand.Read(id) // never fails
	return hex.EncodeToString(id)
}
