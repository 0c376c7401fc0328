package nudge_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/internal/tmuxtest"
	"github.com/gastownhall/tmux-carrier/nudge"
)

// senderVariable makes a test binary a sender: the number of its process and how many
// messages each of its two senders sends.
const senderVariable = "TMUX_CARRIER_TEST_SENDER"

const sendersEach = 2 // in a process

func senderText(process, who, n int) string {
	return fmt.Sprintf("process %d, sender %d, message %d\nand its second line", process, who, n)
}

func sender() int {
	var process, messages int
	if _, err := fmt.Sscan(os.Getenv(senderVariable), &process, &messages); err != nil {
		return 64
	}
	c := &faulty{env: os.Environ()}
	c.calm.Store(true)
	var wg sync.WaitGroup
	code := 0
	for who := range sendersEach {
		wg.Go(func() {
			for n := range messages {
				m := nudge.Message{Text: senderText(process, who, n), ID: fmt.Sprintf("%d-%d-%d", process, who, n), Agent: "claude"}
				for {
					_, err := nudge.Deliver(context.Background(), box.Door{Conn: c}, "s", m)
					if err == nil {
						break
					}
					fmt.Fprintln(os.Stderr, err) // its ID is sent again
				}
			}
		})
	}
	wg.Wait()
	return code
}

// CAR-7, NUD-5: eight senders in four processes on one pane; one of the processes is
// killed with SIGKILL again and again, and started again with the same IDs. Nothing
// is lost, doubled, merged or altered.
func TestSendersInProcesses(t *testing.T) {
	t.Parallel()
	const processes = 4
	each := amount(t, "TMUX_CARRIER_SENDERS", 16) / (processes * sendersEach)
	p := tmuxtest.Start(t, tmuxtest.Options{})
	run := func(process int) *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(p.Env(), senderVariable+"="+strconv.Itoa(process)+" "+strconv.Itoa(each))
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Error(err)
		}
		return cmd
	}
	var wg sync.WaitGroup
	for process := range processes {
		wg.Go(func() {
			cmd := run(process)
			for kills := 0; process == 0 && kills < each; kills++ {
				done := make(chan error, 1)
				go func() { done <- cmd.Wait() }()
				select {
				case <-done:
					return
				case <-time.After(time.Duration(500+137*kills%700) * time.Millisecond):
					_ = cmd.Process.Kill()
					<-done
					cmd = run(process)
				}
			}
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	total := processes * sendersEach * each
	counts := map[string]int{}
	got := p.WaitSubmitted(total)
	for _, text := range got {
		counts[text]++
	}
	for process := range processes {
		for who := range sendersEach {
			for n := range each {
				if text := senderText(process, who, n); counts[text] != 1 {
					t.Errorf("%q was submitted %d times", text, counts[text])
				}
			}
		}
	}
	if len(got) != total {
		t.Errorf("%d messages sent, %d submitted: %s", total, len(got), strings.Join(got, " | "))
	}
}
