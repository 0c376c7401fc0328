package agent

import (
	"testing"
	"time"
)

func TestBurst(t *testing.T) {
	const n = 40 * time.Millisecond
	type read struct {
		at   time.Duration
		keys []key
	}
	enter := press(keyEnter)
	for _, c := range []struct {
		name   string
		window time.Duration
		reads  []read
		want   bool // is the last Enter swallowed?
	}{
		{"typed text and Enter in one read", n, []read{{0, []key{text("hi"), enter}}}, true},
		{"one character and Enter in one read", n, []read{{0, []key{text("h"), enter}}}, true},
		{"paste and Enter in one read", n, []read{{0, []key{paste("hi"), enter}}}, true},
		{"Enter 20 ms after text", n, []read{{0, []key{text("hi")}}, {20 * time.Millisecond, []key{enter}}}, true},
		{"Enter 50 ms after text", n, []read{{0, []key{text("hi")}}, {50 * time.Millisecond, []key{enter}}}, false},
		{"Enter 20 ms after a paste", n, []read{{0, []key{paste("x")}}, {20 * time.Millisecond, []key{enter}}}, true},
		{"typing by hand", n, []read{{0, []key{text("h")}}, {9 * time.Millisecond, []key{text("i")}}, {18 * time.Millisecond, []key{enter}}}, false},
		{"one wide character", n, []read{{0, []key{text("世")}}, {time.Millisecond, []key{enter}}}, false},
		{"a second Enter later", n, []read{{0, []key{text("hi"), enter}}, {n, []key{enter}}}, false},
		{"a second Enter at once", n, []read{{0, []key{text("hi"), enter, enter}}}, true},
		{"an Enter alone", n, []read{{0, []key{enter}}}, false},
		{"two Enters alone", n, []read{{0, []key{enter, enter}}}, false},
		{"no rule", 0, []read{{0, []key{text("hi"), enter}}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			b := burst{window: c.window}
			var last key
			for _, r := range c.reads {
				b.mark(start.Add(r.at), r.keys)
				last = r.keys[len(r.keys)-1]
			}
			if last.kind != keyEnter || last.burst != c.want {
				t.Errorf("swallowed: %v, want %v", last.burst, c.want)
			}
		})
	}
}
