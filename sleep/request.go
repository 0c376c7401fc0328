package sleep

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// request is a wish, from any process, that a session be up. It lies in a file
// of its own, so that it outlives whoever wrote it and needs no lock.
type request struct {
	Session string `json:"session"`
	Reason  Reason `json:"reason"`
}

// RequestWake asks whichever controller works on dir, now or later, to have the
// session up. It returns when the wish is on disk; it does not wait for the
// start. Once the session is up, Requested finds the wish gone.
func RequestWake(dir, session string, why Reason) error {
	d := requestDir(dir)
	if err := os.MkdirAll(d, 0o700); err != nil {
		return err
	}
	text, err := json.Marshal(request{session, why})
	if err != nil {
		return err
	}
	return replaceFile(requestFile(dir, session), text)
}

func requestDir(dir string) string { return filepath.Join(dir, "wake") }

// A session's name may hold a slash, or be longer than a file's may be.
func requestFile(dir, session string) string {
	return filepath.Join(requestDir(dir), fmt.Sprintf("%x", sha256.Sum256([]byte(session)))[:32])
}

// requests reads all wishes. An unreadable one is dropped: it was never whole.
func requests(dir string) ([]request, error) {
	if dir == "" {
		return nil, nil
	}
	files, err := os.ReadDir(requestDir(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []request
	for _, f := range files {
		if f.Name()[0] == '.' { // being written
			continue
		}
		r, err := readRequest(filepath.Join(requestDir(dir), f.Name()))
		if err == nil {
			all = append(all, r)
		}
	}
	return all, nil
}

// Requested reads the wish for a session that is not served yet: the reason, or "" if
// there is none.
func Requested(dir, session string) (Reason, error) {
	if dir == "" {
		return "", nil
	}
	r, err := readRequest(requestFile(dir, session))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return r.Reason, err
}

func readRequest(path string) (request, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return request{}, err
	}
	var r request
	if err := json.Unmarshal(text, &r); err != nil || r.Session == "" {
		os.Remove(path)
		return request{}, fs.ErrNotExist
	}
	if r.Reason == "" {
		r.Reason = Explicit
	}
	return r, nil
}

func dropRequest(dir, session string) {
	if dir != "" {
		os.Remove(requestFile(dir, session))
	}
}
