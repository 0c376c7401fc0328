package prompt

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Capture is one line of an INDEX.tsv: a saved screen and what was true of it. The
// columns are file, agent, version, size, state, truth, notes; a header names them.
type Capture struct {
	File    string // as it stands in the index, relative to its directory
	Agent   string
	Version string
	State   string // what was aimed at: "idle-draft", "permission-dialog-bash"
	Truth   Kind   // a draft counts as Idle; its State says so
	Seen    Observation
}

// ReadIndex reads an INDEX.tsv and the screens that it names.
func ReadIndex(file string) ([]Capture, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	captures, err := parseIndex(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for i := range captures {
		c := &captures[i]
		screen, err := os.ReadFile(filepath.Join(filepath.Dir(file), filepath.FromSlash(c.File)))
		if err != nil {
			return nil, err
		}
		c.Seen.Screen = string(screen)
	}
	return captures, nil
}

func parseIndex(r io.Reader) ([]Capture, error) {
	var captures []Capture
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if lines.Text() == "" || strings.HasPrefix(lines.Text(), "file\t") {
			continue
		}
		col := strings.Split(lines.Text(), "\t")
		if len(col) < 6 {
			return nil, fmt.Errorf("line %d: %d columns, want at least 6: file, agent, version, size, state, truth", n, len(col))
		}
		truth, ok := ParseKind(col[5])
		if !ok {
			return nil, fmt.Errorf("line %d: the truth %q is none of %s", n, col[5], strings.Join(kinds[:], ", "))
		}
		c := Capture{File: col[0], Agent: col[1], Version: col[2], State: col[4], Truth: truth}
		if len(col) > 6 {
			c.Seen = ParseNotes(col[6])
		}
		if w, h, ok := strings.Cut(col[3], "x"); ok {
			c.Seen.Width, _ = strconv.Atoi(w)
			c.Seen.Height, _ = strconv.Atoi(h)
		}
		captures = append(captures, c)
	}
	return captures, lines.Err()
}

// ParseNotes reads what an index notes beside a screen: title, cursor (cur=x,y from 0),
// alt, dead, cmd, mode. What is not noted is not known. Words between are for people.
func ParseNotes(notes string) Observation {
	var o Observation
	// A title may hold anything, blanks and bars too: it ends where the next field
	// begins. The last one counts.
	if i := strings.LastIndex(notes, "title="); i >= 0 {
		title := notes[i+len("title="):]
		rest := ""
		for _, next := range []string{" alt=", " mode=", " cur=", " dead=", " cmd="} {
			if j := strings.Index(title, next); j >= 0 {
				title, rest = title[:j], title[j:]+rest
			}
		}
		o.Title = strings.TrimSpace(title)
		notes = notes[:i] + rest
	}
	for word := range strings.FieldsSeq(notes) {
		key, value, ok := strings.Cut(word, "=")
		if !ok {
			continue
		}
		switch key {
		case "dead":
			o.Dead = value == "1"
		case "alt":
			o.Alternate = value == "1"
		case "cmd":
			o.Command = value
		case "mode":
			if value != "0" {
				o.Mode = value
			}
		case "cur":
			x, y, _ := strings.Cut(value, ",")
			var errX, errY error
			o.CursorX, errX = strconv.Atoi(x)
			o.CursorY, errY = strconv.Atoi(y)
			o.CursorKnown = errX == nil && errY == nil
		}
	}
	return o
}
