package prompt

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Burst is a series of frames of one pane, about 100 ms apart.
type Burst struct {
	Dir    string
	Agent  string // from the directory above: "codex-0.171.0" is codex
	Frames []Frame
}

// Frame is one screen of a Burst.
type Frame struct {
	At       time.Duration // since the burst began
	InFlight int           // requests open at the model: open means busy
	Seen     Observation
}

// ReadBurst reads a burst-*/TIMES.tsv (frame, seconds, inflight=N) and its frames. The
// size is in the directory's name; titles and cursors were not recorded.
func ReadBurst(dir string) (Burst, error) {
	b := Burst{Dir: dir}
	b.Agent, _, _ = strings.Cut(filepath.Base(filepath.Dir(dir)), "-")
	times, err := os.ReadFile(filepath.Join(dir, "TIMES.tsv"))
	if err != nil {
		return b, err
	}
	size := dir[strings.LastIndexByte(dir, '-')+1:]
	w, h, _ := strings.Cut(size, "x")
	width, _ := strconv.Atoi(w)
	height, _ := strconv.Atoi(h)
	for line := range strings.Lines(string(times)) {
		col := strings.Split(strings.TrimSpace(line), "\t")
		if len(col) < 3 {
			continue
		}
		seconds, err := strconv.ParseFloat(col[1], 64)
		if err != nil {
			return b, fmt.Errorf("%s: %q is no time: %w", dir, col[1], err)
		}
		screen, err := os.ReadFile(filepath.Join(dir, col[0]))
		if err != nil {
			return b, err
		}
		f := Frame{At: time.Duration(seconds * float64(time.Second)), Seen: Observation{Screen: string(screen), Width: width, Height: height}}
		f.InFlight, _ = strconv.Atoi(strings.TrimPrefix(col[2], "inflight="))
		b.Frames = append(b.Frames, f)
	}
	return b, nil
}

// Pairs counts what an idle check would have met: pairs of frames about 200 ms apart
// while a request was open at both, and those of them that it would have taken for
// a proof (both idle, nothing changed), by Classify and by PlainRule.
func (b Burst) Pairs() (open, proofs, plainIdle int) {
	prompt := plainPrompt(Capture{Agent: b.Agent, Version: strings.TrimPrefix(filepath.Base(filepath.Dir(b.Dir)), b.Agent+"-")})
	for i, first := range b.Frames {
		for _, second := range b.Frames[i+1:] {
			if gap := second.At - first.At; gap < 150*time.Millisecond {
				continue
			} else if gap > 260*time.Millisecond {
				break
			}
			if first.InFlight == 0 || second.InFlight == 0 {
				continue
			}
			open++
			va, vb := Classify(first.Seen, Options{}), Classify(second.Seen, Options{})
			if va.Kind == Idle && vb.Kind == Idle && Unchanged(first.Seen, second.Seen, va, vb) {
				proofs++
			}
			if PlainRule(first.Seen.Screen, prompt) && PlainRule(second.Seen.Screen, prompt) {
				plainIdle++
			}
		}
	}
	return open, proofs, plainIdle
}
