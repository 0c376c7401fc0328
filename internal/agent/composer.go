package agent

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Pastes beyond these are shown as a placeholder, as Claude Code 2.1.332 does.
const (
	placeholderBytes = 800
	placeholderLines = 2
)

// A composer holds the draft. Its text is bytes: a read may cut a character,
// and what is submitted must be what arrived.
type composer struct {
	parts  []part
	pastes int // placeholders made so far; they are numbered
}

type part struct {
	text  []byte
	label string // shown instead of the text; such a part is edited as a whole
}

func (c *composer) insert(text []byte) {
	if n := len(c.parts); n > 0 && c.parts[n-1].label == "" {
		c.parts[n-1].text = append(c.parts[n-1].text, text...)
		return
	}
	c.parts = append(c.parts, part{text: bytes.Clone(text)})
}

// paste inserts text, as a placeholder if it is long and placeholders are on.
func (c *composer) paste(text []byte, placeholders bool) {
	lines := bytes.Count(text, []byte("\n"))
	if !placeholders || len(text) <= placeholderBytes && lines <= placeholderLines {
		c.insert(text)
		return
	}
	c.pastes++
	c.parts = append(c.parts, part{text, fmt.Sprintf("[Pasted text #%d +%d lines]", c.pastes, lines)})
}

// backspace takes one character away, or one placeholder.
func (c *composer) backspace() {
	if p := c.last(); p != nil && p.label == "" {
		_, size := utf8.DecodeLastRune(p.text)
		p.text = p.text[:len(p.text)-size]
	} else if p != nil {
		p.text = nil
	}
	c.trim()
}

// killLine takes the last line away, and only that: C-u in Claude Code and
// Codex leaves the lines above it.
func (c *composer) killLine() {
	for p := c.last(); p != nil; p = c.last() {
		i := -1
		if p.label == "" {
			i = bytes.LastIndexByte(p.text, '\n')
		}
		p.text = p.text[:i+1]
		c.trim()
		if i >= 0 {
			return
		}
	}
}

func (c *composer) last() *part {
	if len(c.parts) == 0 {
		return nil
	}
	return &c.parts[len(c.parts)-1]
}

// trim drops an empty part at the end.
func (c *composer) trim() {
	if p := c.last(); p != nil && len(p.text) == 0 {
		c.parts = c.parts[:len(c.parts)-1]
	}
}

func (c *composer) clear() { c.parts = nil }

func (c *composer) empty() bool { return len(c.parts) == 0 }

// text is the draft as it would be submitted.
func (c *composer) text() []byte {
	var all []byte
	for _, p := range c.parts {
		all = append(all, p.text...)
	}
	return all
}

// tail is the end of the draft as it is shown, at least limit bytes of it:
// a draft of 1 MiB is drawn at every read, so only what fits may cost.
func (c *composer) tail(limit int) (shown []byte, cut bool) {
	for i := len(c.parts) - 1; i >= 0; i-- {
		if len(shown) >= limit {
			return shown, true
		}
		s := c.parts[i].text
		if label := c.parts[i].label; label != "" {
			s = []byte(label)
		}
		if len(s) > limit {
			s, cut = s[len(s)-limit:], true
		}
		shown = append(bytes.Clone(s), shown...)
		if cut {
			return shown, true
		}
	}
	return shown, false
}
