package session_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/gastownhall/tmux-carrier/carrier"
	"github.com/gastownhall/tmux-carrier/nudge"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/session"
)

// Start an agent, and give it work that no other incarnation can receive.
func ExampleStart() {
	ctx := context.Background()
	runtime, err := rpp.New("exec:gc-session-docker")
	if err != nil {
		log.Fatal(err)
	}
	c := &carrier.Carrier{Conn: runtime}
	started, err := session.Start(ctx, session.Options{
		Runtime: runtime,
		Carrier: c,
		Name:    "worker-1",
		Config:  rpp.StartConfig{Command: "claude", ProcessNames: []string{"claude"}},
	})
	var ended *session.EndedError
	switch {
	case errors.Is(err, rpp.ErrExists):
		log.Fatal("somebody's worker-1 lives, and was left alone")
	case errors.As(err, &ended):
		log.Fatalf("status %d:\n%s", ended.Status, ended.Screen)
	case err != nil:
		log.Fatal(err)
	}
	for _, w := range started.Warnings {
		log.Print(w) // such as: a dialog stands on the screen
	}
	receipt, err := c.Session("worker-1").Nudge(ctx, nudge.Message{Text: "begin", Fence: started.Token})
	fmt.Println(receipt.Stage, err)
}
