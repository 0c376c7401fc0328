package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
	"unicode/utf8"
)

// An Entry is one line of the log. One of Read, Submit and Event is set.
type Entry struct {
	Time   time.Time `json:"time"`
	Read   *Exact    `json:"read,omitempty"`   // the bytes of one read
	Submit *Exact    `json:"submit,omitempty"` // a message, as the agent took it
	Queued bool      `json:"queued,omitempty"` // the message came during a turn
	Event  string    `json:"event,omitempty"`  // "interrupt", "dialog answered: Yes", …
	PID    int       `json:"pid,omitempty"`    // of event start
	Env    []string  `json:"env,omitempty"`    // of event start: names of GC_ variables, no values
}

// Exact is a string that JSON keeps byte for byte: a JSON string where it is
// UTF-8, so that a log can be read and searched, else {"base64": …}.
type Exact string

type exactBytes struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON implements json.Marshaler.
func (e Exact) MarshalJSON() ([]byte, error) {
	if !utf8.ValidString(string(e)) {
		return json.Marshal(exactBytes{[]byte(e)})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(string(e))
	return b.Bytes(), err
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *Exact) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*e = Exact(s)
		return nil
	}
	var raw exactBytes
	err := json.Unmarshal(b, &raw)
	*e = Exact(raw.Base64)
	return err
}

// A logger appends to the log, each line in one write, so that a reader sees
// whole lines even when the agent is killed.
type logger struct {
	file *os.File // nil: no log
	err  error    // the first failure; the agent goes on without a log
}

func openLog(path string) (*logger, error) {
	if path == "" {
		return &logger{}, nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	return &logger{file: f}, err
}

func (l *logger) write(e Entry) {
	if l.file == nil || l.err != nil {
		return
	}
	e.Time = time.Now().UTC()
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if l.err = enc.Encode(e); l.err == nil {
		_, l.err = l.file.Write(line.Bytes())
	}
}

func (l *logger) read(b []byte) {
	e := Exact(b)
	l.write(Entry{Read: &e})
}

func (l *logger) submit(text string, queued bool) {
	e := Exact(text)
	l.write(Entry{Submit: &e, Queued: queued})
}

func (l *logger) event(format string, args ...any) {
	l.write(Entry{Event: fmt.Sprintf(format, args...)})
}

func (l *logger) start() {
	e := Entry{Event: "start", PID: os.Getpid()}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "GC_") {
			e.Env = append(e.Env, name)
		}
	}
	l.write(e)
}

func (l *logger) close() error {
	if l.file == nil {
		return nil
	}
	if err := l.file.Close(); l.err == nil {
		l.err = err
	}
	return l.err
}
