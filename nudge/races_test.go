package nudge_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/internal/tmuxtest"
	"github.com/gastownhall/tmux-carrier/nudge"
)

// FEN-3, FEN-4: the pane's process is replaced again and again, its fence in the same
// list, while nudges, keys and interrupts are on their way. None reaches another
// incarnation than the one it was meant for, and no answer says otherwise than the
// incarnations' logs.
func TestRelaunchRaces(t *testing.T) {
	t.Parallel()
	total := int64(amount(t, "TMUX_CARRIER_RACES", 90))
	p := tmuxtest.Start(t, tmuxtest.Options{Command: []string{"cat"}})
	d, _ := door(p)
	dir := t.TempDir()
	log := func(n int64) string { return filepath.Join(dir, fmt.Sprintf("%d.log", n)) }
	token := func(n int64) fence.Token { return fence.Token(fmt.Sprintf("inc-%d-", n)) }

	var now atomic.Int64
	relaunch := func() {
		n := now.Load() + 1
		// Raw, so that every byte is seen as it comes; the log is the process's own.
		p.Tmux("respawn-pane", "-k", "-t", p.ID, "stty raw -echo; exec cat >"+log(n), ";",
			"set-option", "-p", "-t", p.ID, "@gc_fence", string(token(n)), ";",
			"set-option", "-pF", "-t", p.ID, "@gc_fence_pid", string(token(n))+" #{pane_pid}")
		now.Store(n)
	}
	relaunch()

	type call struct {
		incarnation int64
		text        string
		err         error
	}
	var mu sync.Mutex
	var calls []call
	var done atomic.Int64
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	send := func(who int, verb func(ctx context.Context, text string, f fence.Token) error) {
		wg.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				n := max(now.Load()-int64(rand.IntN(3)/2), 1) // now and then the one before
				text := fmt.Sprintf("<%s%d.%d>", token(n), who, i)
				err := verb(t.Context(), text, token(n))
				mu.Lock()
				calls = append(calls, call{n, text, err})
				mu.Unlock()
				if done.Add(1) >= total {
					cancel()
				}
			}
		})
	}
	send(1, func(ctx context.Context, text string, f fence.Token) error {
		_, err := nudge.Deliver(ctx, d, "s", nudge.Message{Text: text, Fence: f, Settle: time.Millisecond})
		return err
	})
	send(2, func(ctx context.Context, text string, f fence.Token) error {
		_, err := nudge.Press(ctx, d, "s", nudge.Keys{Keys: strings.Split(text, ""), Fence: f})
		return err
	})
	send(3, func(ctx context.Context, _ string, f fence.Token) error {
		_, err := nudge.Interrupt(ctx, d, "s", "codex", f)
		return err
	})
	for ctx.Err() == nil {
		relaunch()
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(rand.IntN(800)) * time.Millisecond):
		}
	}
	wg.Wait()

	logs := map[int64]string{}
	for n := int64(1); n <= now.Load(); n++ {
		b, err := os.ReadFile(log(n))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		logs[n] = string(b)
		rest := strings.ReplaceAll(logs[n], "<"+string(token(n)), "")
		if strings.Contains(rest, "<inc-") {
			t.Errorf("incarnation %d read what was meant for another: %q", n, logs[n])
		}
	}
	counts := map[string]int{}
	for _, c := range calls {
		arrived := strings.Contains(logs[c.incarnation], c.text)
		var partial *nudge.PartialError
		var refused *fence.RefusedError
		switch {
		case c.err == nil:
			counts["done"]++ // written to the terminal; a process that was killed has not read it
		case errors.As(c.err, &partial):
			counts["partly"]++
		case errors.Is(c.err, fence.ErrStale), errors.Is(c.err, fence.ErrMoved), errors.As(c.err, &refused):
			counts["refused"]++
			if arrived {
				t.Errorf("%q arrived, and the call said %v", c.text, c.err)
			}
		case errors.Is(c.err, box.ErrUnavailable):
			counts["unavailable"]++
		default:
			t.Errorf("%q: %v", c.text, c.err)
		}
	}
	t.Logf("%d calls against %d relaunches: %v", len(calls), now.Load(), counts)
	if counts["done"] == 0 || counts["refused"] == 0 {
		t.Errorf("nothing was raced: %v", counts)
	}
}
