package live_test

import (
	"context"
	"log"
	"os"

	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/sleep"
	"github.com/gastownhall/tmux-carrier/sleep/live"
)

// Run the controller over the boxes of a runtime, and tell it of the work that waits.
func Example() {
	ctx := context.Background()
	runtime, err := rpp.New("exec:gc-session-docker")
	if err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile("sleep.toml")
	if err != nil {
		log.Fatal(err)
	}
	config, _, err := sleep.Parse(text)
	if err != nil {
		log.Fatal(err)
	}
	sessions, err := live.New(runtime, config, "")
	if err != nil {
		log.Fatal(err)
	}
	sessions.Reasons = func(_ context.Context, name string) ([]sleep.Reason, error) {
		if waits(name) {
			return []sleep.Reason{sleep.Work}, nil
		}
		return nil, nil
	}
	c := &sleep.Controller{
		Sessions: sessions,
		Dir:      "sleep.state",
		OnEvent:  func(e sleep.Event) { log.Print(e.Session, ": ", e.Why) },
	}
	if err := c.Open(); err != nil {
		log.Fatal(err) // sleep.ErrHeld: another one does it already
	}
	defer c.Close()
	_ = c.Run(ctx)
}

// waits stands for the caller's own queue.
func waits(string) bool { return false }
