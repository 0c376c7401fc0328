package tmuxbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gastownhall/tmux-carrier/box"
)

// identityKeys are answered from the start config's env without a set-meta (SES-5).
var identityKeys = []string{"GC_SESSION_ID", "GC_INSTANCE_TOKEN", "GC_RUNTIME_EPOCH"}

// metaPath is the file of a key. Keys are anybody's text, of any length, so a name
// of fixed form stands for each. Metadata belongs to the box and goes with it.
func (b *Box) metaPath(key string) string {
	sum := sha256.Sum256([]byte(key))
	return b.Path(filepath.Join("meta", hex.EncodeToString(sum[:16])))
}

func (b *Box) saveMeta(key, value string) error {
	if err := os.Mkdir(b.Path("meta"), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return writeFile(b.metaPath(key), []byte(value))
}

func (l *life) saveIdentity() error {
	for _, key := range identityKeys {
		if value := l.cfg.Env[key]; value != "" {
			if err := l.saveMeta(key, value); err != nil {
				return fmt.Errorf("session %q: identity: %w", l.Name, err)
			}
		}
	}
	return nil
}

func (r *runtime) setMeta(_ context.Context, name, key, value string) error {
	b, err := r.boxes.find(name)
	if err != nil {
		return err
	}
	return b.saveMeta(key, value)
}

// getMeta: "" is unset, a session that does not exist included; an error means that
// nobody can tell.
func (r *runtime) getMeta(_ context.Context, name, key string) (string, error) {
	b, err := r.boxes.find(name)
	if err != nil {
		_, err = yesNo(err)
		return "", err
	}
	value, err := os.ReadFile(b.metaPath(key))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(value), err
}

func (r *runtime) removeMeta(_ context.Context, name, key string) error {
	b, err := r.boxes.find(name)
	if errors.Is(err, box.ErrAbsent) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := os.Remove(b.metaPath(key)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
