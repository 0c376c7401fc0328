package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// A Log is what an agent read, took and did, in order. Runs that logged to the
// same file follow each other, each with an event "start".
type Log []Entry

// ReadLog reads the log of an agent, which may still be running: a line that
// is not complete yet is left out.
func ReadLog(path string) (Log, error) { return (&LogReader{Path: path}).Read() }

// A LogReader reads a log that grows. Each Read costs only what is new.
type LogReader struct {
	Path string

	log    Log
	offset int64
}

// Read returns the log so far.
func (r *LogReader) Read() (Log, error) {
	f, err := os.Open(r.Path)
	if err != nil {
		return r.log, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.NewSectionReader(f, r.offset, 1<<62))
	if err != nil {
		return r.log, err
	}
	for {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole {
			return slices.Clip(r.log), nil
		}
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return r.log, fmt.Errorf("%s: entry %d: %w", r.Path, len(r.log)+1, err)
		}
		r.log, data = append(r.log, e), rest
		r.offset += int64(len(line)) + 1
	}
}

// Submitted returns the messages that the agent took.
func (l Log) Submitted() []string {
	var all []string
	for _, e := range l {
		if e.Submit != nil {
			all = append(all, string(*e.Submit))
		}
	}
	return all
}

// Bytes returns all that the agent read from its terminal.
func (l Log) Bytes() []byte {
	var all []byte
	for _, e := range l {
		if e.Read != nil {
			all = append(all, *e.Read...)
		}
	}
	return all
}

// Events returns what happened, in the words of the log.
func (l Log) Events() []string {
	var all []string
	for _, e := range l {
		if e.Event != "" {
			all = append(all, e.Event)
		}
	}
	return all
}

// Count returns how many events start with prefix.
func (l Log) Count(prefix string) int {
	n := 0
	for _, e := range l.Events() {
		if strings.HasPrefix(e, prefix) {
			n++
		}
	}
	return n
}

// PID returns the process of the last run, or 0.
func (l Log) PID() int {
	pid := 0
	for _, e := range l {
		if e.PID != 0 {
			pid = e.PID
		}
	}
	return pid
}
