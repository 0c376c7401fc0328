package session_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/session"
)

const (
	respawn  = `tmux respawn-pane -k -t =main: sleep 600`
	reFence  = `tmux set-option -p -t =main: @gc_fence another`
	hide     = `tmux set-option -s @gc_fence theirs`
	noEnv    = `tmux set-option -s 'command-alias[99]' set-environment=no-such-command`
	killMain = `tmux kill-session -t =main`
)

var errAny = errors.New("any error")

// The table of failures, each row with a real box (SES-1, SES-2, SES-6, FEN-7, PRM-1). A
// row says what runs before, what goes wrong, and what has to be left.
func TestFailures(t *testing.T) {
	tests := []struct {
		name   string
		caps   []string
		before bool // a session of that name runs, with a fence
		faults []fault
		config func(*rpp.StartConfig)
		always bool   // dialogs are to be answered
		until  string // the caller gives up once this has been asked

		errs    []error // all of them are in the error; none: it succeeds
		says    string  // in the error, or in a warning
		stops   int     // how often stop was asked
		fence   string  // left: "old", "new", "none" (no fence), "another", "gone" (no box)
		process string  // left, where before: "same", "other"
		never   string  // an operation that must not be asked
	}{
		// welded, nothing ran before
		{name: "start fails", caps: welded, faults: []fault{{Op: "start", How: "fail"}},
			errs: []error{errAny}, says: "a fault", stops: 1, fence: "gone"},
		{name: "start fails late", caps: welded, faults: []fault{{Op: "start", How: "fail", After: true}},
			errs: []error{errAny}, stops: 1, fence: "gone"},
		{name: "start fails for now", caps: welded, faults: []fault{{Op: "start", How: "temporary", After: true}},
			errs: []error{rpp.ErrTemporary}, stops: 1, fence: "gone"},
		{name: "start is canceled", caps: welded, faults: []fault{{Op: "start", How: "hang", After: true}}, until: "start",
			errs: []error{context.Canceled}, stops: 1, fence: "gone"},
		{name: "is-running fails, then start", caps: welded, faults: []fault{{Op: "is-running", Nth: 1, How: "fail"}, {Op: "start", How: "fail"}},
			errs: []error{errAny}, stops: 1, fence: "gone"},
		{name: "publish fails", caps: welded, faults: []fault{{Op: "exec", How: "fail"}},
			errs: []error{box.ErrUnavailable}, stops: 1, fence: "gone"},
		{name: "publish is not answered", caps: welded, faults: []fault{{Op: "exec", How: "fail", After: true}},
			errs: []error{box.ErrUnavailable}, stops: 1, fence: "gone"},
		{name: "publish is canceled", caps: welded, faults: []fault{{Op: "exec", How: "hang"}}, until: "exec",
			errs: []error{box.ErrUnavailable, context.Canceled}, stops: 1, fence: "gone"},
		{name: "a server-wide fence hides ours", caps: welded, faults: []fault{{Op: "exec", Box: hide}},
			errs: []error{fence.ErrStale}, stops: 1, fence: "gone"},
		{name: "publish and stop fail", caps: welded, faults: []fault{{Op: "exec", Nth: 1, How: "fail"}, {Op: "stop", How: "fail"}},
			errs: []error{box.ErrUnavailable}, says: "what it made may be left", stops: 1, fence: "none"},
		{name: "the session is gone at publish", caps: welded, faults: []fault{{Op: "exec", Box: killMain}},
			errs: []error{box.ErrAbsent}, says: "remain-on-exit", stops: 1, fence: "gone"},
		{name: "the agent is dead at publish", caps: welded,
			faults: []fault{{Op: "exec", Box: `tmux respawn-pane -k -t =main: 'echo alas; exit 3'; sleep 0.3`}},
			errs:   []error{errAny}, says: "with status 3; its last words: alas", stops: 1, fence: "gone"},
		{name: "a one_shot is dead at publish", caps: welded, config: oneShot,
			faults: []fault{{Op: "exec", Box: `tmux respawn-pane -k -t =main: 'exit 3'; sleep 0.3`}},
			says:   "one_shot agent ended with status 3", fence: "none"},
		{name: "a one_shot is gone at publish", caps: welded, config: oneShot, faults: []fault{{Op: "exec", Box: killMain}}, fence: "gone"},
		{name: "the prompt cannot be stored", caps: welded, faults: []fault{{Op: "exec", Box: noEnv}},
			says: "the ready prompt was not stored: ", fence: "new"},
		{name: "the prompt alone cannot be stored", caps: slices.DeleteFunc(slices.Clone(welded), func(c string) bool { return c == rpp.CapInputFence }),
			faults: []fault{{Op: "exec", How: "fail"}}, says: "the ready prompt was not stored: ", fence: "none"},
		{name: "dialogs cannot be looked for", caps: welded, always: true, faults: []fault{{Op: "watch-startup", How: "fail"}, {Op: "exec", Nth: 2, How: "fail"}},
			errs: []error{box.ErrUnavailable}, says: "startup dialogs", stops: 1, fence: "gone"},
		{name: "the agent dies while dialogs are looked for", caps: welded, always: true,
			faults: []fault{{Op: "exec", Nth: 2, Box: `tmux respawn-pane -k -t =main: 'echo alas; exit 4'; sleep 0.3`}},
			errs:   []error{errAny}, says: "with status 4; its last words: alas", stops: 1, fence: "gone"},
		{name: "a one_shot dies while dialogs are looked for", caps: welded, always: true, config: oneShot,
			faults: []fault{{Op: "exec", Nth: 2, Box: `tmux respawn-pane -k -t =main: 'exit 0'; sleep 0.3`}}, fence: "new"},

		// welded, a live session holds the name
		{name: "exists", caps: welded, before: true, errs: []error{rpp.ErrExists}, fence: "old", process: "same"},
		{name: "exists, and is-running fails", caps: welded, before: true, faults: []fault{{Op: "is-running", Nth: 1, How: "fail"}},
			errs: []error{rpp.ErrExists}, fence: "old", process: "same"},
		{name: "runs, and start fails", caps: welded, before: true, faults: []fault{{Op: "start", How: "fail"}},
			errs: []error{errAny}, fence: "old", process: "same"},
		{name: "runs, and start is canceled", caps: welded, before: true, faults: []fault{{Op: "start", How: "hang"}}, until: "start",
			errs: []error{context.Canceled}, fence: "old", process: "same"},
		{name: "its fence cannot be read", caps: welded, before: true, faults: []fault{{Op: "exec", How: "fail", Nth: 1}},
			errs: []error{box.ErrUnavailable}, fence: "old", process: "same", never: "start"},
		{name: "its fence cannot be read, and is-running fails", caps: welded, before: true,
			faults: []fault{{Op: "is-running", How: "fail"}, {Op: "exec", How: "fail", Nth: 1}},
			errs:   []error{box.ErrUnavailable}, fence: "old", process: "same", never: "start"},
		{name: "its fence may be cleared", caps: welded, before: true, faults: []fault{{Op: "exec", Nth: 2, How: "fail", After: true}},
			errs: []error{box.ErrUnavailable}, fence: "old", process: "same", never: "start"},
		{name: "exists, but the process changed", caps: welded, before: true, faults: []fault{{Op: "start", Box: respawn}},
			errs: []error{rpp.ErrExists, fence.ErrMoved}, says: "its fence was not put back", fence: "none", process: "other"},
		{name: "exists, but the fence changed", caps: welded, before: true, faults: []fault{{Op: "start", Box: reFence}},
			errs: []error{rpp.ErrExists, fence.ErrStale}, says: "its fence was not put back", fence: "another", process: "same"},
		{name: "exists, and restore is not answered", caps: welded, before: true, faults: []fault{{Op: "exec", Nth: 3, How: "fail"}},
			errs: []error{rpp.ErrExists, box.ErrUnavailable}, says: "its fence was not put back", fence: "none", process: "same"},
		{name: "start reuses the box, publish fails", caps: welded, before: true,
			faults: []fault{{Op: "start", How: "ok"}, {Op: "exec", Nth: 3, How: "fail"}},
			errs:   []error{box.ErrUnavailable}, fence: "old", process: "same"},
		{name: "start reuses the box, publish is not answered", caps: welded, before: true,
			faults: []fault{{Op: "start", How: "ok"}, {Op: "exec", Nth: 3, How: "fail", After: true}},
			errs:   []error{box.ErrUnavailable, fence.ErrStale}, fence: "new", process: "same"},
		{name: "start reuses the box", caps: welded, before: true, faults: []fault{{Op: "start", How: "ok"}}, fence: "new", process: "same"},
		{name: "start reuses the pane", caps: welded, before: true, faults: []fault{{Op: "start", How: "ok", Box: respawn}}, fence: "new", process: "other"},

		// separable
		{name: "provision fails", caps: full, faults: []fault{{Op: "provision", How: "fail"}}, errs: []error{errAny}, fence: "gone", never: "exec"},
		{name: "provision is canceled", caps: full, faults: []fault{{Op: "provision", How: "hang"}}, until: "provision",
			errs: []error{context.Canceled}, fence: "gone", never: "exec"},
		{name: "provision of a live session", caps: full, before: true, errs: []error{rpp.ErrExists}, fence: "old", process: "same", never: "exec"},
		{name: "launch fails", caps: full, faults: []fault{{Op: "exec", How: "fail"}}, errs: []error{box.ErrAbsent}, stops: 1, fence: "gone"},
		{name: "launch is not answered", caps: full, faults: []fault{{Op: "exec", How: "fail", After: true}},
			errs: []error{box.ErrUnavailable}, stops: 1, fence: "gone"},
		{name: "launch is canceled", caps: full, faults: []fault{{Op: "exec", How: "hang"}}, until: "exec",
			errs: []error{box.ErrUnavailable, context.Canceled}, stops: 1, fence: "gone"},
		{name: "launch and stop fail", caps: full, faults: []fault{{Op: "exec", Nth: 1, How: "fail"}, {Op: "stop", How: "fail"}},
			errs: []error{box.ErrAbsent}, says: "what it made may be left", stops: 1, fence: "gone"},
		{name: "no command", caps: full, config: func(c *rpp.StartConfig) { c.Command = " " }, errs: []error{errAny}, says: "no command", stops: 1, fence: "gone"},
		// The launch itself finds these within 0.2 s, or on a busy machine the looking after it.
		{name: "a command that does not exist", caps: full, always: true, config: func(c *rpp.StartConfig) { c.Command = "no-such-agent --flag" },
			errs: []error{errAny}, says: "with status 127; its last words: ", stops: 1, fence: "gone"},
		{name: "an agent that fails at once", caps: full, always: true, config: func(c *rpp.StartConfig) { c.Command = "echo alas; exit 5" },
			errs: []error{errAny}, says: "with status 5; its last words: alas", stops: 1, fence: "gone"},
		{name: "a one_shot that has ended", caps: full, always: true, config: func(c *rpp.StartConfig) { oneShot(c); c.Command = "exit 6" },
			says: "one_shot agent ended with status 6", fence: "new"},
		{name: "the launch's prompt cannot be stored", caps: full, faults: []fault{{Op: "exec", Box: noEnv}},
			says: "the ready prompt was not stored: ", fence: "new"},
		{name: "the launch's fence is hidden", caps: full, faults: []fault{{Op: "exec", Box: hide}}, errs: []error{fence.ErrStale}, stops: 1, fence: "gone"},
		{name: "the launched agent's dialogs cannot be looked for", caps: full, always: true, faults: []fault{{Op: "exec", Nth: 2, How: "fail"}},
			errs: []error{box.ErrUnavailable}, says: "startup dialogs", stops: 1, fence: "gone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, tt.caps)
			o := r.options()
			pid := ""
			if tt.before {
				o.Token = "old"
				r.start(o)
				pid = r.pid()
			}
			o.Token = "new"
			if tt.always {
				o.Dialogs = session.DialogsAnswer
			}
			if tt.config != nil {
				tt.config(&o.Config)
			}
			r.faults(tt.faults...)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if tt.until != "" {
				go func() {
					for ctx.Err() == nil && r.count(tt.until) == 0 {
						time.Sleep(5 * time.Millisecond)
					}
					cancel()
				}()
			}
			result, err := session.Start(ctx, o)
			stops, asked := r.count("stop"), r.asked()
			r.faults()

			if (err != nil) != (len(tt.errs) > 0) {
				t.Errorf("error %v", err)
			}
			for _, want := range tt.errs {
				if want != errAny && !errors.Is(err, want) {
					t.Errorf("error %v lacks %v", err, want)
				}
			}
			text := strings.Join(result.Warnings, "\n")
			if err != nil {
				text = err.Error()
			}
			if !strings.Contains(text, tt.says) || err == nil && tt.says == "" && text != "" {
				t.Errorf("says %q, want %q", text, tt.says)
			}
			if stops != tt.stops {
				t.Errorf("stop was asked %d times, want %d: %v", stops, tt.stops, asked)
			}
			if tt.never != "" && slices.Contains(asked, tt.never) {
				t.Errorf("%s was asked: %v", tt.never, asked)
			}
			if err != nil && result.Token != "" {
				t.Errorf("result %+v", result)
			}
			if got := r.left(); got != tt.fence {
				t.Errorf("left: %s, want %s", got, tt.fence)
			}
			if tt.process != "" && (r.pid() == pid) != (tt.process == "same") {
				t.Errorf("process %s, before %s, want the %s", r.pid(), pid, tt.process)
			}
		})
	}
}

func oneShot(c *rpp.StartConfig) { c.Lifecycle = rpp.LifecycleOneShot }

// left says which fence is left, "none", or "gone" for no session.
func (r *rig) left() string {
	r.t.Helper()
	out, code, err := r.runtime.Exec(r.t.Context(), r.name, []string{"sh", "-c", "tmux has-session -t =main: && tmux show-options -pqv -t =main: @gc_fence"})
	switch {
	case err != nil:
		r.t.Fatal(err)
	case code != 0:
		return "gone"
	case len(out) == 0:
		return "none"
	}
	return strings.TrimSpace(string(out))
}

// SES-1: a deadline is told from other failures, and the teardown has time of its own.
func TestDeadline(t *testing.T) {
	r := newRig(t, welded)
	r.faults(fault{Op: "start", How: "hang", After: true})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if _, err := session.Start(ctx, r.options()); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if r.running() {
		t.Errorf("it runs; asked %v", r.asked())
	}
}
