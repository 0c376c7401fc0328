package sleep

import (
	"context"
	"errors"
	"testing"
	"time"
)

// SLP-4: who outlives its patience moves to the slow lane; when that is full it is
// cut, unless it must not be, and then it keeps its place.
func TestLanes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLanes(1)
		enter := func(slow bool) (*ticket, context.Context) {
			ctx, cut := context.WithCancelCause(t.Context())
			tk, err := l.enter(ctx, slow, cut)
			if err != nil {
				t.Fatal(err)
			}
			tk.patience(time.Second)
			return tk, ctx
		}
		first, ctx := enter(false)
		second, cut := enter(false) // waits until the first has moved
		if ctx.Err() != nil || !first.wasSlow() || second.wasSlow() {
			t.Error("the first did not move")
		}
		time.Sleep(2 * time.Second)
		if len(l.fast) != 0 || !second.wasSlow() || !errors.Is(context.Cause(cut), errCrowded) {
			t.Error("the second was not cut")
		}
		third, ctx := enter(false)
		third.pin()
		time.Sleep(2 * time.Second)
		if ctx.Err() != nil || len(l.fast) != 1 {
			t.Error("the pinned one was cut")
		}
		waiting, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := l.enter(waiting, false, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		for _, tk := range []*ticket{first, second, third, nil} {
			tk.release()
			tk.release()
		}
		if len(l.fast)+len(l.slow) != 0 {
			t.Error("places are lost")
		}
	})
}
