package agent

import (
	"time"
	"unicode/utf8"
)

// A burst is the rule by which the real agents tell a paste from typing: an
// Enter that comes in the same read as text, or sooner than window after a
// burst (a paste, or two characters and more in one read), is a newline.
//
// Measured: Codex and Gemini CLI swallow it at 20 ms and take it at 50 ms,
// Claude Code 2.0.53 swallows it in one read. Gemini does so behind a bracketed
// paste too, the others only behind typed text: the stricter one is modelled.
type burst struct {
	window time.Duration // 0 or less: every Enter submits
	last   time.Time     // of the last burst
}

// mark sets burst on the Enters among keys, which one read at now brought.
func (b *burst) mark(now time.Time, keys []key) {
	chars := 0 // in this read so far
	for i := range keys {
		switch k := &keys[i]; k.kind {
		case keyText:
			chars += utf8.RuneCount(k.text)
		case keyPaste:
			chars += 2
		case keyNewline:
			chars++
		case keyEnter:
			k.burst = b.window > 0 && (chars > 0 || now.Sub(b.last) < b.window)
			if k.burst {
				chars++
			}
		}
		if chars > 1 {
			b.last = now
		}
	}
}
