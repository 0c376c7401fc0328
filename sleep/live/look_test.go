package live_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/sleep"
	"github.com/gastownhall/tmux-carrier/sleep/live"
)

// RPP-10, RPP-11, SLP-2: what a look asks, call by call, and what it makes of the
// answers. A listed session that tells its activity costs no is-running.
func TestLook(t *testing.T) {
	r := newRig(t, "")
	r.add("up", "interactive_resume", "1s")
	r.add("down", "interactive_resume", "1s")
	s := r.sessions()
	if err := s.Start(t.Context(), "up", ""); err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
	tests := []struct {
		what    string
		session string
		ask     sleep.Ask
		faults  map[string]string
		list    bool // list-running is asked before
		calls   []string
		want    sleep.Facts
		errs    bool
	}{
		{what: "all, not listed", session: "up", ask: sleep.AskAll,
			faults: map[string]string{"get-last-activity": at.Format(time.RFC3339)},
			calls:  []string{"get-last-activity", "is-attached", "is-running"},
			want:   sleep.Facts{Running: sleep.Yes, Attached: sleep.No, LastActivity: at, RoundTrips: 3}},
		{what: "all, listed", session: "up", ask: sleep.AskAll, list: true,
			faults: map[string]string{"get-last-activity": at.Format(time.RFC3339)},
			calls:  []string{"get-last-activity", "is-attached"},
			want:   sleep.Facts{Running: sleep.Yes, Attached: sleep.No, LastActivity: at, RoundTrips: 2}},
		{what: "listed, and it tells no activity", session: "up", ask: sleep.AskAll,
			faults: map[string]string{"get-last-activity": "soon"},
			calls:  []string{"get-last-activity", "is-attached", "is-running"},
			want:   sleep.Facts{Running: sleep.Yes, Attached: sleep.No, RoundTrips: 3}},
		{what: "down", session: "down", ask: sleep.AskRunning,
			calls: []string{"is-running"},
			want:  sleep.Facts{Running: sleep.No, RoundTrips: 1}},
		{what: "within its window", session: "up", ask: sleep.AskRunning | sleep.AskAttached,
			calls: []string{"is-attached", "is-running"},
			want:  sleep.Facts{Running: sleep.Yes, Attached: sleep.No, RoundTrips: 2}},
		{what: "is-attached exits 2", session: "up", ask: sleep.AskRunning | sleep.AskAttached,
			faults: map[string]string{"is-attached": "exit 2"},
			calls:  []string{"is-attached", "is-running"},
			want:   sleep.Facts{Running: sleep.Yes, Attached: sleep.CannotTell, RoundTrips: 2}, errs: true},
		{what: "is-running exits 2", session: "down", ask: sleep.AskRunning,
			faults: map[string]string{"is-running": "exit 2"},
			calls:  []string{"is-running"},
			want:   sleep.Facts{Running: sleep.CannotTell, RoundTrips: 1}, errs: true},
		{what: "get-last-activity exits 2", session: "up", ask: sleep.AskActivity,
			faults: map[string]string{"get-last-activity": "exit 2"},
			calls:  []string{"get-last-activity"},
			want:   sleep.Facts{RoundTrips: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			for op, how := range tt.faults {
				r.fault(op, tt.session, how)
				defer r.fault(op, tt.session, "")
			}
			if tt.list {
				if _, err := s.List(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			before := len(r.asked())
			got := s.Look(t.Context(), tt.session, tt.ask)
			if (got.Err != nil) != tt.errs {
				t.Errorf("error %v", got.Err)
			}
			if got.Err = nil; got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			var calls []string
			for _, a := range r.asked()[before:] {
				op, _, _ := strings.Cut(a, " ")
				calls = append(calls, op)
			}
			if slices.Sort(calls); !slices.Equal(calls, tt.calls) {
				t.Errorf("asked %v, want %v", calls, tt.calls)
			}
		})
	}
}

// SLP-1, SLP-3: the list is the config's; what could not be woken never sleeps; what
// runs is known of all with one call, unless the runtime cannot say.
func TestList(t *testing.T) {
	r := newRig(t, "")
	r.add("up", "interactive_resume", "1s")
	r.add("down", "interactive_resume", "1s")
	r.config += "[[session]]\nname = \"alien\"\nclass = \"interactive_resume\"\nsleep_after_idle = \"1s\"\n"
	s := r.sessions()
	answers := func() (got []sleep.Answer) {
		t.Helper()
		entries, err := s.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			got = append(got, e.Running)
		}
		if p := entries[2].Policy.Setting; p.Sleep || !strings.Contains(p.Source, "nothing could wake it") {
			t.Errorf("alien: %+v", p)
		}
		if p := entries[0].Policy; p.Capability != sleep.Full || !p.Attachment || !p.Setting.Sleep {
			t.Errorf("up: %+v", p)
		}
		return got
	}
	unknown := []sleep.Answer{sleep.CannotTell, sleep.CannotTell, sleep.CannotTell}
	if got := answers(); !slices.Equal(got, unknown) {
		t.Errorf("nothing was ever listed: %v", got)
	}
	if err := s.Start(t.Context(), "up", ""); err != nil {
		t.Fatal(err)
	}
	if got := answers(); !slices.Equal(got, []sleep.Answer{sleep.Yes, sleep.No, sleep.No}) {
		t.Errorf("one runs: %v", got)
	}
	if err := s.Start(t.Context(), "up", ""); err != nil {
		t.Errorf("start of one that is up: %v", err)
	}
	if err := s.Stop(t.Context(), "up"); err != nil {
		t.Fatal(err)
	}
	if got := answers(); !slices.Equal(got, []sleep.Answer{sleep.No, sleep.No, sleep.No}) {
		t.Errorf("none runs: %v", got)
	}
	if err := s.Start(t.Context(), "alien", ""); err == nil {
		t.Error("what has no command was started")
	}
}

// A [session.start] is gc's start config: known keys by their types, others as they are.
func TestStartConfig(t *testing.T) {
	c, _, err := sleep.Parse([]byte(`
[[session]]
name = "a"
[session.start]
command = "claude --continue"
ready_delay_ms = 500
process_names = ["claude"]
lifecycle = "one_shot"
a_new_key = { deep = [1, 2.5, true] }
[session.start.env]
LANG = ""
GREETING = "it's"
[[session.start.copy_files]]
src = "a"
rel_dst = "b"
`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := live.StartConfig(c.Sessions[0].Start)
	if err != nil {
		t.Fatal(err)
	}
	if got.Command != "claude --continue" || got.ReadyDelayMS != 500 || !slices.Equal(got.ProcessNames, []string{"claude"}) ||
		got.Lifecycle != rpp.LifecycleOneShot || got.CopyFiles[0] != (rpp.CopyFile{Src: "a", RelDst: "b"}) ||
		len(got.Env) != 2 || got.Env["GREETING"] != "it's" || string(got.Extra["a_new_key"]) != `{"deep":[1,2.5,true]}` {
		t.Errorf("%+v", got)
	}

	c.Sessions[0].Start["env"] = map[string]any{"SECRET": int64(123456)}
	if _, err := live.New(&rpp.Provider{}, c, ""); err == nil || !strings.Contains(err.Error(), `"a"`) || strings.Contains(err.Error(), "123456") {
		t.Errorf("a wrong type: %v", err)
	}
	c.Sessions[0].Start = map[string]any{"command": "x", "work_dir": "w"}
	s, err := live.New(&rpp.Provider{}, c, "/etc/sleep")
	if err != nil || len(s.Warnings()) != 0 || !s.Has("a") || s.Has("b") {
		t.Errorf("%v, %v", err, s.Warnings())
	}
	c.Sessions[0].Start = map[string]any{"command": "x"}
	c.Sessions = append(c.Sessions, sleep.SessionConfig{Name: "b"})
	if s, err = live.New(&rpp.Provider{}, c, ""); err != nil || len(s.Warnings()) != 2 {
		t.Errorf("%v, %v", err, s.Warnings())
	}
}
