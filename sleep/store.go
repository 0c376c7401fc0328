package sleep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// store keeps the records in memory and, with a path, in one file. The file is
// replaced whole: written beside, synced, renamed, its directory synced. Callers
// that need their change on disk before they act share one write.
type store struct {
	path string // "": memory only

	mu      sync.Mutex
	records map[string]*stored
	puts    uint64 // changes so far

	writing sync.Mutex
	written uint64 // changes on disk
	writes  int
}

// stored is a record with its JSON: a write is due before every stop, and encoding
// 10,000 records anew for each took most of a tick.
type stored struct {
	Record
	line []byte // nil: to be encoded
}

const stateVersion = 1

type stateFile struct {
	Version  int               `json:"version"`
	Sessions map[string]Record `json:"sessions"`
}

// openStore reads the file. One that cannot be understood is set aside beside
// itself, and its name returned: every window then begins anew, and a session
// that was asleep is woken by a reason like any other that does not run, so
// nothing sleeps too early and nothing is forgotten.
func openStore(path string, now time.Time) (s *store, aside string, err error) {
	s = &store{path: path, records: map[string]*stored{}}
	if path == "" {
		return s, "", nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	var f stateFile
	if err := json.Unmarshal(text, &f); err != nil || f.Version < 1 {
		aside = fmt.Sprintf("%s.corrupt-%s", path, now.UTC().Format("20060102T150405.000000000"))
		return s, aside, os.Rename(path, aside)
	}
	if f.Version > stateVersion {
		return nil, "", fmt.Errorf("%s is of version %d, this program knows %d", path, f.Version, stateVersion)
	}
	s.fill(f)
	return s, "", nil
}

func (s *store) fill(f stateFile) {
	for name, r := range f.Sessions {
		s.records[name] = &stored{Record: r}
	}
}

func (s *store) get(name string) Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.records[name]; r != nil {
		return r.Record
	}
	return Record{}
}

func (s *store) put(name string, r Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.records[name]; old == nil || old.Record != r {
		s.records[name] = &stored{Record: r}
		s.puts++
	}
}

// forget drops the records of sessions that are no longer listed, but never one
// of a session that we stopped or were starting: it may be listed again.
func (s *store) forget(listed map[string]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, r := range s.records {
		if !listed[name] && r.Phase != Asleep && r.Phase != Stopping && r.Phase != Waking {
			delete(s.records, name)
			s.puts++
		}
	}
}

func (s *store) each(f func(name string, r Record)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, r := range s.records {
		f(name, r.Record)
	}
}

// sync returns when all that was put before is on disk.
func (s *store) sync() error {
	if s.path == "" {
		return nil
	}
	s.mu.Lock()
	mine := s.puts
	s.mu.Unlock()

	s.writing.Lock()
	defer s.writing.Unlock()
	if s.written >= mine { // somebody wrote mine along with theirs
		return nil
	}
	s.mu.Lock()
	upTo := s.puts
	text, err := s.text()
	s.mu.Unlock()
	if err != nil {
		return err
	}
	if err := replaceFile(s.path, text); err != nil {
		return err
	}
	s.written = upTo
	s.writes++
	return nil
}

// text is the file as stateFile reads it, a line a session.
func (s *store) text() ([]byte, error) {
	text := fmt.Appendf(nil, `{"version":%d,"sessions":{`, stateVersion)
	comma := "\n"
	for name, r := range s.records {
		if r.line == nil {
			key, _ := json.Marshal(name)
			value, err := json.Marshal(r.Record)
			if err != nil {
				return nil, err
			}
			r.line = append(append(key, ':'), value...)
		}
		text = append(append(text, comma...), r.line...)
		comma = ",\n"
	}
	return append(text, "\n}}\n"...), nil
}

// replaceFile writes a file that is there whole or not at all.
func replaceFile(path string, text []byte) error {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+"-*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// sweep removes what a killed writer left beside the file.
func sweep(path string) {
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"-*"))
	for _, f := range left {
		os.Remove(f)
	}
}

// readStore is openStore for one who only looks.
func readStore(path string) (*store, error) {
	s := &store{records: map[string]*stored{}}
	text, err := os.ReadFile(path)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	var f stateFile
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	s.fill(f)
	return s, err
}
