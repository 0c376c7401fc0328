package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/idle"
	"github.com/gastownhall/tmux-carrier/nudge"
	"github.com/gastownhall/tmux-carrier/prompt"
	"github.com/gastownhall/tmux-carrier/rpp"
)

// Every error of the library has one kind and one exit code, however it is wrapped; an
// error that holds several is told by what a caller must know first.
func TestFailures(t *testing.T) {
	busy := idle.Proof{Session: "a", Verdict: prompt.Verdict{Kind: prompt.Starting}}
	for _, tt := range []struct {
		err  error
		kind string
		exit int
	}{
		{errors.New("anything"), "failed", 1},
		{usagef("no"), "usage", 64},
		{&nudge.KeyError{Key: "x"}, "usage", 64},
		{nudge.ErrIDReused, "usage", 64},
		{rpp.ErrName, "usage", 64},
		{&nudge.TextError{Why: "no"}, "text", 65},
		{&rpp.OpError{Op: "start", Code: 1, Err: rpp.ErrExists}, "exists", 1},
		{&rpp.OpError{Op: "start", Code: 75, Err: rpp.ErrTemporary}, "temporary", 75},
		{&rpp.OpError{Op: "start", Code: -1, Err: context.DeadlineExceeded}, "unavailable", 69},
		{&rpp.OpError{Op: "stop", Code: 1}, "failed", 1},
		{&exec.Error{Name: "x", Err: exec.ErrNotFound}, "unavailable", 69},
		{box.ErrAbsent, "absent", 4},
		{box.ErrUnavailable, "unavailable", 69},
		{box.ErrExecUnsupported, "fallback-unsupported", 1},
		{fence.ErrStale, "fence-stale", 5},
		{fence.ErrUnset, "fence-unset", 5},
		{fence.ErrUnsupported, "fence-unsupported", 5},
		{fence.ErrMoved, "temporary", 75},
		{&fence.RefusedError{Reason: fence.Contended}, "contended", 3},
		{&fence.RefusedError{Reason: fence.InputOff}, "input-off", 3},
		{idle.ErrUnsupported, "idle-unsupported", 1},
		{notIdle(busy, idle.ErrBusy), "starting", 3},
		{notIdle(busy, box.ErrAbsent), "absent", 4},

		// partly-delivered beats what caused it, and so does an interruption all.
		{&nudge.PartialError{Err: box.ErrAbsent}, "partly-delivered", 6},
		{&nudge.PartialError{Err: fence.ErrStale}, "partly-delivered", 6},
		{&nudge.PartialError{Err: box.ErrUnavailable}, "partly-delivered", 6},
		{&nudge.PartialError{Err: &fence.RefusedError{Reason: fence.Dialog}}, "partly-delivered", 6},
		{&interruptedError{&nudge.PartialError{Err: context.Canceled}}, "interrupted", 130},
		{errors.Join(box.ErrAbsent, errors.New("and the stop failed")), "absent", 4},
	} {
		for _, err := range []error{tt.err, fmt.Errorf("session %q: %w", "a", tt.err), input(nudge.Typed, tt.err)} {
			if f := classify(err); f.kind != tt.kind || f.exit != tt.exit {
				t.Errorf("%v: %s, %d; want %s, %d", err, f.kind, f.exit, tt.kind, tt.exit)
			}
		}
	}
	for _, f := range failures {
		if f.exit == 0 || f.exit == 2 || f.exit == 255 {
			t.Errorf("%s exits %d", f.kind, f.exit)
		}
	}
}

// An error names its kind first, and what is known of the input that went in.
func TestFail(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		ctx   context.Context
		err   error
		text  string
		stage string
		exit  int
	}{
		{t.Context(), box.ErrAbsent, "absent: the session is absent\n", "nothing", 4},
		{t.Context(), input(nudge.Unknown, box.ErrUnavailable), "unavailable: the box did not answer; went in: unknown\n", "unknown", 69},
		{t.Context(), input(nudge.HandedOver, errors.New("a\tb\x1b[2J")), "failed: a b [2J\n", "unknown", 1},
		{canceled, input(nudge.Typed, context.Canceled), "interrupted: context canceled; went in: text\n", "text", 130},
		{canceled, usagef("no"), "usage: no\n", "nothing", 64},
	} {
		var text, object bytes.Buffer
		if code := (&program{err: &text}).fail(tt.ctx, tt.err); code != tt.exit || text.String() != tt.text {
			t.Errorf("%v: exit %d, %q; want %d, %q", tt.err, code, text.String(), tt.exit, tt.text)
		}
		(&program{err: &object, json: true}).fail(tt.ctx, tt.err)
		var got struct {
			Error map[string]string `json:"error"`
		}
		if err := json.Unmarshal(object.Bytes(), &got); err != nil || strings.Count(object.String(), "\n") != 1 {
			t.Fatalf("%q: %v", object.String(), err)
		}
		if got.Error["stage"] != tt.stage || got.Error["message"] != tt.err.Error() || len(got.Error) != 3 {
			t.Errorf("%v: %v", tt.err, got.Error)
		}
	}
}
