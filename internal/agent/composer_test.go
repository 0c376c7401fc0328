package agent

import (
	"strings"
	"testing"
)

func TestComposer(t *testing.T) {
	long := strings.Repeat("line\n", 11) + "end"
	for _, c := range []struct {
		name        string
		edit        func(c *composer)
		text, shown string
	}{
		{"insert", func(c *composer) { c.insert([]byte("a")); c.insert([]byte("b\xff")) }, "ab\xff", "ab\xff"},
		{"backspace takes a character", func(c *composer) { c.insert([]byte("a世")); c.backspace() }, "a", "a"},
		{"backspace on nothing", func(c *composer) { c.backspace() }, "", ""},
		{"C-u takes one line", func(c *composer) { c.insert([]byte("a\nb")); c.killLine() }, "a\n", "a\n"},
		{"C-u on one line", func(c *composer) { c.insert([]byte("ab")); c.killLine() }, "", ""},
		{"a short paste is text", func(c *composer) { c.paste([]byte("a\nb\nc"), true) }, "a\nb\nc", "a\nb\nc"},
		{"a long paste is a placeholder", func(c *composer) {
			c.insert([]byte("> "))
			c.paste([]byte(long), true)
			c.insert([]byte("x"))
		}, "> " + long + "x", "> [Pasted text #1 +11 lines]x"},
		{
			"a wide paste is a placeholder", func(c *composer) { c.paste([]byte(strings.Repeat("x", 801)), true) },
			strings.Repeat("x", 801), "[Pasted text #1 +0 lines]",
		},
		{"unless they are off", func(c *composer) { c.paste([]byte(long), false) }, long, long},
		{"backspace takes a placeholder", func(c *composer) { c.insert([]byte("a")); c.paste([]byte(long), true); c.backspace() }, "a", "a"},
		{"C-u takes a placeholder", func(c *composer) { c.insert([]byte("a\nb")); c.paste([]byte(long), true); c.killLine() }, "a\n", "a\n"},
		{"clear", func(c *composer) { c.paste([]byte(long), true); c.clear() }, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var d composer
			c.edit(&d)
			shown, cut := d.tail(1000)
			if got := string(d.text()); got != c.text || string(shown) != c.shown || cut {
				t.Errorf("text %q shown %q cut %v; want %q %q", got, shown, cut, c.text, c.shown)
			}
			if d.empty() != (c.text == "") {
				t.Errorf("empty: %v", d.empty())
			}
		})
	}
}

func TestComposerTail(t *testing.T) {
	var d composer
	d.insert([]byte(strings.Repeat("a", 1<<20) + "end"))
	if shown, cut := d.tail(4); string(shown) != "aend" || !cut {
		t.Errorf("%q %v", shown, cut)
	}
}
