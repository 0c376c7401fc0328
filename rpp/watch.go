package rpp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
)

// WatchStartup calls see with each screen that the runtime shows while the
// session starts, until ctx ends (its error), the runtime ends (nil), or see
// returns an error, which ends the runtime and is returned as it is. Screens
// that come while see is at work wait for it. Lines that are no JSON object with
// a content are passed over.
func (p *Provider) WatchStartup(ctx context.Context, name string, see func(screen string) error) (handled bool, err error) {
	screens := &screens{see: see}
	_, err = p.do(ctx, call{op: "watch-startup", args: []string{name}, stdout: screens})
	if screens.err != nil {
		return true, screens.err
	}
	return done(err)
}

// screens cuts the stream into lines. The largest pane is a few 100 KiB.
type screens struct {
	see  func(string) error
	line []byte
	err  error // see's
}

var errLongLine = errors.New("a line of more than 8 MiB")

func (s *screens) Write(p []byte) (int, error) {
	s.line = append(s.line, p...)
	for {
		line, rest, found := bytes.Cut(s.line, []byte("\n"))
		if !found {
			break
		}
		var screen struct{ Content *string }
		if json.Unmarshal(line, &screen) == nil && screen.Content != nil {
			if s.err = s.see(*screen.Content); s.err != nil {
				return 0, s.err
			}
		}
		s.line = rest
	}
	if len(s.line) > 8<<20 {
		return 0, errLongLine
	}
	return len(p), nil
}
