package live_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/sleep"
)

// RPP-10, IDL-2, SLP-2, SLP-4: real boxes of a runtime that goes wrong. Whatever cannot
// be told keeps its session up, and holds up no other.
func TestFaults(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	tests := map[string]struct {
		faults map[string]string
		rules  []sleep.Rule // of its first failures
	}{
		"exit2": {map[string]string{"is-attached": "exit 2"}, []sleep.Rule{"attached-unknown"}},
		"noisy": {map[string]string{"is-attached": "perhaps"}, []sleep.Rule{"attached-unknown"}},
		"hangs": {map[string]string{"is-running": "hang", "is-attached": "hang", "get-last-activity": "hang", "exec": "hang"},
			[]sleep.Rule{"unreachable", "crowded"}},
		"deaf":   {map[string]string{"exec": "hang"}, []sleep.Rule{"unproven", "crowded"}},
		"future": {map[string]string{"get-last-activity": "2999-01-01T00:00:00Z"}, []sleep.Rule{"activity-future"}},
		"silent": {map[string]string{"get-last-activity": ""}, nil}, // no fault: for comparison
		"mute":   {map[string]string{"get-last-activity": "exit 2"}, []sleep.Rule{"activity-unknown"}},
		"lies":   {map[string]string{"is-running": "false", "get-last-activity": "?"}, []sleep.Rule{"down"}},
	}
	for name := range tests {
		r.add(name, "interactive_resume", "1s")
	}
	s := r.sessions()
	r.start(s)
	for name, tt := range tests {
		for op, how := range tt.faults {
			r.fault(op, name, how)
		}
	}
	var told seen
	end := r.run(&sleep.Controller{
		Sessions: s, Dir: r.state(), Interval: 300 * time.Millisecond, LookTimeout: 3 * time.Second, OnEvent: told.add,
	})
	r.wait("the one without a fault sleeps", func() bool { return r.count("stop", "silent") == 1 && told.rule("silent") == sleep.RuleAsleep })
	for name, tt := range tests {
		if tt.rules == nil {
			continue
		}
		r.wait(name+" was looked at, again and again", func() bool {
			n := 0
			for _, e := range told.of(name) {
				if slices.Contains(tt.rules, e.Rule) {
					n++
				}
			}
			return n > 1
		})
	}
	end()
	for name, tt := range tests {
		for op := range tt.faults {
			r.fault(op, name, "")
		}
		if tt.rules == nil {
			continue
		}
		for _, e := range told.of(name) {
			if e.Action != sleep.Keep {
				t.Errorf("%s: %+v", name, e)
			}
		}
		if r.count("stop", name) > 0 || r.count("provision", name) != 1 || !r.running(name) {
			t.Errorf("%s: %d stops, %d starts, runs %v", name, r.count("stop", name), r.count("provision", name), r.running(name))
		}
	}
}

// SLP-1, SLP-2, IDL-1: without exec there is no idle boundary: only what nobody talks to
// sleeps, by the activity clock, and nothing is run in its box for that. Without a
// handshake that declares activity nobody sleeps; without an answer to it nothing is
// concluded.
func TestWeakRuntime(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	r.fault("protocol", "", `{"version":0,"capabilities":["report-activity","report-attachment"]}`)
	r.add("batch", "noninteractive", "0s", "--draft", "half")
	r.add("person", "interactive_resume", "0s")
	s := r.sessions()
	r.start(s)
	var told seen
	end := r.run(&sleep.Controller{Sessions: s, Dir: r.state(), Interval: 300 * time.Millisecond, OnEvent: told.add})
	r.wait("the batch sleeps", func() bool { return told.rule("batch") == sleep.RuleAsleep && !r.running("batch") })
	r.wait("the person's stays", func() bool { return told.rule("person") == sleep.RuleNeedsFull && r.running("person") })
	if err := s.Wake(t.Context(), r.state(), "batch", sleep.Work); err != nil {
		t.Error(err)
	}
	if proof, err := s.Ready(t.Context(), "batch"); err != nil {
		t.Errorf("nothing can be told of it, and it is waited for: %v, %+v", err, proof)
	}
	end()
	if r.count("exec", "batch")+r.count("exec", "person") > 0 || r.count("start", "batch") != 2 {
		t.Errorf("asked: %q", r.asked())
	}

	for protocol, listed := range map[string]bool{"exit 2": true, "not JSON": true, "hang": false} {
		r.fault("protocol", "", protocol)
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		fresh := &rpp.Provider{Command: r.runtime.Command, Env: r.runtime.Env} // a handshake is asked once
		s, err := open(fresh, r.config, r.dir)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := s.List(ctx)
		if (err == nil) != listed || listed && entries[0].Policy.Capability != sleep.Disabled {
			t.Errorf("handshake %q: %v, %+v", protocol, err, entries)
		}
		cancel()
	}
}
