package carrier_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"strings"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/carrier"
	"github.com/gastownhall/tmux-carrier/nudge"
)

// errNoExec is a sentinel of the embedding program's own.
var errNoExec = errors.New("this kind of box cannot exec")

// privateBox is an embedding program's own Conn: here, a tmux server in a private
// directory of this machine. It is all that a Carrier needs.
type privateBox struct{ dir string }

func (b privateBox) Exec(ctx context.Context, session string, argv []string) ([]byte, int, error) {
	if session != "agent-1" {
		return nil, 0, fmt.Errorf("%s: %w", session, errNoExec)
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), "TMUX_TMPDIR="+b.dir)
	output, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		err = nil
	}
	return output, cmd.ProcessState.ExitCode(), err
}

// newBox starts a box in which the agent is `cat`.
func newBox() (b privateBox, stop func()) {
	dir, err := os.MkdirTemp("", "tc")
	if err != nil {
		log.Fatal(err)
	}
	b = privateBox{dir}
	tmux := func(command string) {
		if out, code, err := b.Exec(context.Background(), "agent-1", []string{"sh", "-c", "unset TMUX; " + command}); err != nil || code != 0 {
			log.Fatal(err, code, string(out))
		}
	}
	tmux("exec tmux -f /dev/null new-session -d -s main -x 60 -y 6 'stty -echo; echo ready; exec cat'")
	return b, func() {
		tmux("exec tmux kill-server")
		_ = os.RemoveAll(dir)
	}
}

// await peeks until the text is on the screen.
func await(s *carrier.Session, text string) {
	for range 200 {
		if screen, err := s.Peek(context.Background(), carrier.View{}); err == nil && strings.Contains(screen, text) {
			return
		}
	}
	log.Fatalf("%q did not show", text)
}

func ExampleSession_Nudge() {
	b, stop := newBox()
	defer stop()
	agent := (&carrier.Carrier{Conn: b}).Session("agent-1")
	await(agent, "ready")

	message := nudge.Message{ID: "order-66", Text: "mind the `;` at the end;"}
	for range 2 { // the second changes nothing: the same ID is delivered once
		receipt, err := agent.Nudge(context.Background(), message)
		fmt.Println(receipt.Stage, receipt.Execs, err)
	}
	await(agent, "at the end;")
	screen, _ := agent.Peek(context.Background(), carrier.View{Tail: 1})
	fmt.Println(strings.TrimSpace(screen))
	// Output:
	// submitted 1 <nil>
	// submitted 1 <nil>
	// mind the `;` at the end;
}

func ExampleSession_Keys() {
	b, stop := newBox()
	defer stop()
	agent := (&carrier.Carrier{Conn: b}).Session("agent-1")
	await(agent, "ready")

	pressed, err := agent.Keys(context.Background(), nudge.Keys{Keys: []string{"o", "k", "Enter"}})
	fmt.Println(pressed.Stage, err)
	await(agent, "ok")

	_, err = agent.Keys(context.Background(), nudge.Keys{Keys: []string{"Entr"}})
	fmt.Println(err)
	// Output:
	// submitted <nil>
	// key "Entr": is no tmux key name
}

func ExampleSession_Interrupt() {
	b, stop := newBox()
	defer stop()
	agent := (&carrier.Carrier{Conn: b}).Session("agent-1")
	agent.Agent = "claude" // unset, tmux tells in the same exec which agent it is
	await(agent, "ready")

	pressed, err := agent.Interrupt(context.Background(), "")
	fmt.Println(pressed.Agent, pressed.Keys, err)
	// Output:
	// claude [Escape] <nil>
}

func ExampleSession_Peek() {
	b, stop := newBox()
	defer stop()
	agent := (&carrier.Carrier{Conn: b}).Session("agent-1")
	await(agent, "ready")

	screen, err := agent.Peek(context.Background(), carrier.View{Tail: 1})
	fmt.Println(strings.TrimSpace(screen), err)
	// Output:
	// ready <nil>
}

func ExampleSession_ClearScrollback() {
	b, stop := newBox()
	defer stop()
	agent := (&carrier.Carrier{Conn: b}).Session("agent-1")
	await(agent, "ready")
	fmt.Println(agent.ClearScrollback(context.Background()))
	// Output:
	// <nil>
}

// A program that has a Conn of its own embeds a Carrier around it, and tells it which
// of its errors mean that there is no exec.
func ExampleCarrier() {
	b, stop := newBox()
	defer stop()
	c := &carrier.Carrier{
		Conn:        b,
		Unsupported: func(err error) bool { return errors.Is(err, errNoExec) },
		Observe: func(_ context.Context, e carrier.Event) {
			fmt.Println(e.Verb, e.Session, e.Execs, "exec")
		},
	}
	_, err := c.Session("agent-1").Peek(context.Background(), carrier.View{})
	fmt.Println(err)
	_, err = c.Session("another").Peek(context.Background(), carrier.View{})
	fmt.Println(errors.Is(err, box.ErrExecUnsupported))
	// Output:
	// peek agent-1 1 exec
	// <nil>
	// peek another 1 exec
	// true
}
