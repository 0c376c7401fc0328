package carrier_test

import (
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/carrier"
	"github.com/gastownhall/tmux-carrier/internal/tmuxtest"
	"github.com/gastownhall/tmux-carrier/nudge"
)

// BenchmarkVerbs is what a verb costs beside its waits, and beside what it stands on: one
// bare tmux client, and one script that does nothing.
func BenchmarkVerbs(b *testing.B) {
	p := tmuxtest.Start(b, tmuxtest.Options{Command: []string{"cat"}})
	c := fenced{p.Conn(tmuxtest.Command)}
	s := (&carrier.Carrier{Conn: c}).Session("s")
	run := func(name string, verb func() error) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := verb(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("bare-client", func() error {
		_, _, err := c.Exec(b.Context(), "s", []string{"tmux", "-u", "display-message", "-p", "x"})
		return err
	})
	nothing := box.NewScript("nothing", ":")
	run("frame", func() error {
		_, err := box.Door{Conn: c}.Run(b.Context(), "s", nothing)
		return err
	})
	run("peek", func() error { _, err := s.Peek(b.Context(), carrier.View{}); return err })
	run("keys", func() error { _, err := s.Keys(b.Context(), nudge.Keys{Keys: []string{"F5"}}); return err })
	run("nudge", func() error {
		_, err := s.Nudge(b.Context(), nudge.Message{Text: "x", Settle: time.Millisecond})
		return err
	})
}
