package agent

import (
	"bytes"
	"slices"
)

// A keyKind says what the terminal sent, in the terms of the composer.
type keyKind int

const (
	keyText      keyKind = iota // printable bytes and TAB
	keyPaste                    // the text between the paste brackets
	keyEnter                    // CR
	keyNewline                  // LF, or Alt+Enter: ESC CR in one go
	keyEscape                   // an ESC that nothing followed in time
	keyInterrupt                // C-c
	keyEOF                      // C-d
	keyKillLine                 // C-u
	keyBackspace                // BS, DEL
	keyUp
	keyDown
	keyOther // anything else: read, logged, and without effect
)

type key struct {
	kind keyKind
	text []byte // of keyText and keyPaste

	// burst: this Enter came too close behind other input; see burst.mark.
	burst bool
}

const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"

	// maxSequence bounds an escape sequence: no terminal sends a longer one,
	// and a stray "ESC [" must not swallow digits for ever.
	maxSequence = 32
)

// A parser turns the bytes of a terminal into keys. Reads may cut the bytes
// anywhere: what is not decided yet waits for the next feed, or for flush.
type parser struct {
	inPaste bool
	buf     []byte // the paste so far, or an unfinished escape sequence
}

// feed takes the bytes of one read and returns the keys that they complete.
func (p *parser) feed(chunk []byte) []key {
	var keys []key
	for {
		if p.inPaste {
			// Only the tail can hold a bracket that the last read cut: a paste
			// of 1 MiB comes in 256 reads and is searched once, not 256 times.
			from := max(0, len(p.buf)-len(pasteEnd)+1)
			p.buf = append(p.buf, chunk...)
			i := bytes.Index(p.buf[from:], []byte(pasteEnd))
			if i < 0 {
				return keys
			}
			keys = append(keys, key{kind: keyPaste, text: p.buf[: from+i : from+i]})
			chunk = p.buf[from+i+len(pasteEnd):]
			p.inPaste, p.buf = false, nil
		}
		data := chunk
		if len(p.buf) > 0 {
			data = slices.Concat(p.buf, chunk)
			p.buf = nil
		}
		var n int
		keys, n = p.typed(keys, data)
		if !p.inPaste {
			p.buf = bytes.Clone(data[n:])
			return keys
		}
		chunk = data[n:]
	}
}

// typed parses data up to a paste, to an unfinished sequence, or to its end.
func (p *parser) typed(keys []key, data []byte) (_ []key, n int) {
	for n < len(data) {
		rest := data[n:]
		if rest[0] == 0x1b {
			kind, size := escape(rest)
			switch {
			case size == 0:
				return keys, n
			case string(rest[:size]) == pasteStart:
				p.inPaste = true
				return keys, n + size
			}
			keys = append(keys, key{kind: kind})
			n += size
			continue
		}
		size := bytes.IndexFunc(rest, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
		if size < 0 {
			size = len(rest)
		}
		if size > 0 {
			keys = append(keys, key{kind: keyText, text: bytes.Clone(rest[:size])})
			n += size
			continue
		}
		keys = append(keys, key{kind: control(rest[0])})
		n++
	}
	return keys, n
}

// undecided reports whether an ESC waits to be told from a sequence.
func (p *parser) undecided() bool { return !p.inPaste && len(p.buf) > 0 }

// flush decides an ESC that nothing followed: it was the Escape key.
func (p *parser) flush() []key {
	if !p.undecided() {
		return nil
	}
	rest := p.buf[1:]
	p.buf = nil
	return append([]key{{kind: keyEscape}}, p.feed(rest)...)
}

func control(c byte) keyKind {
	switch c {
	case '\r':
		return keyEnter
	case '\n':
		return keyNewline
	case 0x03:
		return keyInterrupt
	case 0x04:
		return keyEOF
	case 0x15:
		return keyKillLine
	case 0x08, 0x7f:
		return keyBackspace
	}
	return keyOther
}

// escape measures the sequence at the start of b, whose first byte is ESC.
// Size 0: it is not complete.
func escape(b []byte) (kind keyKind, size int) {
	if len(b) == 1 {
		return 0, 0
	}
	switch c := b[1]; {
	case c == '\r':
		return keyNewline, 2
	case c == 0x1b || c >= 0x80:
		return keyEscape, 1
	case c == 'O' && len(b) == 2:
		return 0, 0
	case c == 'O':
		return arrow(b[2]), 3
	case c != '[':
		return keyOther, 2
	}
	for i := 2; i < len(b); i++ {
		switch c := b[i]; {
		case c >= 0x40 && c <= 0x7e:
			if i == 2 {
				return arrow(c), 3
			}
			return keyOther, i + 1
		case c < 0x20 || c > 0x3f || i >= maxSequence:
			return keyOther, i // not a sequence: what follows is read anew
		}
	}
	return 0, 0
}

func arrow(final byte) keyKind {
	switch final {
	case 'A':
		return keyUp
	case 'B':
		return keyDown
	}
	return keyOther
}
