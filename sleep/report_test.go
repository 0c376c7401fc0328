package sleep

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// SLP-3: the JSON of a decision: its keys, and no other.
func TestEventJSON(t *testing.T) {
	b, err := json.Marshal(Event{Time: t0, Decision: keep(RuleWindow, "idle"), Reasons: []Reason{}})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"time":"2026-03-01T12:00:00Z","session":"","action":"keep","rule":"window","why":"idle","for":"","dry_run":false,` +
		`"state":"","class":"","capability":"","after":"","source":"","attached":"cannot-tell","reasons":[],"proof":"","sign":"",` +
		`"round_trips":0,"seconds":0}`
	if string(b) != want {
		t.Errorf("%s\nwant\n%s", b, want)
	}
}

// SLP-3: a dry run and an explanation say what would be done, and do nothing.
func TestDryRunAndExplain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w, dir := newWorld(), t.TempDir()
		b := w.add("a", func(b *fakeBox) { b.policy.Setting.After = 0 })
		w.add("b", func(b *fakeBox) { b.running, b.reasons = false, []Reason{Work} })
		c, _ := open(t, w, func(c *Controller) { c.Dir = dir })
		e, err := c.Explain(t.Context(), "a")
		if err != nil || e.Action != Sleep || !e.DryRun || e.Proof != "idle" || e.Source != "test" {
			t.Errorf("%+v, %v", e, err)
		}
		if _, err := c.Explain(t.Context(), "nobody"); err == nil {
			t.Error("an unknown session is explained")
		}
		dry, seen := open(t, w, func(c *Controller) { c.Dir, c.DryRun = dir, true }) // beside the one that holds the lock
		for range 3 {
			tick(t, dry)
			time.Sleep(time.Minute)
		}
		if dry.Wake(t.Context(), "a", Explicit) == nil {
			t.Error("a dry run woke")
		}
		if b.stops+w.boxes["b"].starts > 0 || seen.rule("b") != "wake-work" || seen.last["a"].Action != Sleep {
			t.Errorf("%d stops; %+v", b.stops, seen.last)
		}
		if r, _ := readStore(dir + "/state.json"); len(r.records) > 0 {
			t.Errorf("written: %v", r.records)
		}
	})
}

// SLP-3: the metrics of the issue, in a text that follows the format.
func TestMetrics(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld()
		b := w.add("a", nil)
		w.add("b", func(b *fakeBox) { b.attached = Yes })
		w.add("c", func(b *fakeBox) { b.hangs = true })
		c, _ := open(t, w, nil)
		asleep(t, c, b)
		time.Sleep(time.Hour)
		var before, after bytes.Buffer
		if err := c.WriteMetrics(&before); err != nil {
			t.Fatal(err)
		}
		if err := c.Wake(t.Context(), "a", Explicit); err != nil {
			t.Fatal(err)
		}
		tick(t, c)
		c.WriteMetrics(&after)
		for text, lines := range map[string][]string{
			before.String(): {
				`tmux_carrier_sleep_sessions{state="asleep",class="interactive_resume"} 1`,
				`tmux_carrier_sleep_decisions_total{action="sleep",rule="idle"} 1`,
				`tmux_carrier_sleep_calls_total{call="stop",outcome="ok"} 1`,
				`tmux_carrier_sleep_proof_seconds_bucket{found="idle",le="0.5"} 1`,
				`tmux_carrier_sleep_proof_seconds_bucket{found="idle",le="0.25"} 0`,
				`tmux_carrier_sleep_proof_seconds_count{found="idle"} 1`,
				`tmux_carrier_sleep_slept_seconds_total 3630`,
			},
			after.String(): {
				`tmux_carrier_sleep_sessions{state="awake",class="interactive_resume"} 2`,
				`tmux_carrier_sleep_decisions_total{action="wake",rule="wake-explicit"} 1`,
				`tmux_carrier_sleep_wake_seconds_count 1`,
			},
		} {
			for _, line := range lines {
				if !slices.Contains(strings.Split(text, "\n"), line) {
					t.Errorf("no line %s in\n%s", line, text)
				}
			}
			checkProm(t, text)
		}
		if !strings.Contains(before.String(), `tmux_carrier_sleep_calls_total{call="look",outcome="timeout"}`) {
			t.Error("the hanging box timed out nowhere")
		}
	})
}

var promLine = regexp.MustCompile(`^([a-z_]+?)(_bucket|_sum|_count)?(\{[a-z]+="(?:[^"\\\n]|\\[\\"n])*"(?:,[a-z]+="(?:[^"\\\n]|\\[\\"n])*")*\})? [0-9.e+-]+$`)

// checkProm holds a text against the format: HELP and TYPE before each family's
// samples, each family once, no sample twice.
func checkProm(t *testing.T, text string) {
	t.Helper()
	family, families, seen := "", map[string]bool{}, map[string]bool{}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		f := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "# HELP "):
			family = f[2]
			if families[family] {
				t.Errorf("%s comes twice", family)
			}
			families[family] = true
		case strings.HasPrefix(line, "# TYPE "):
			if f[2] != family {
				t.Errorf("%s stands under %s", line, family)
			}
		default:
			m := promLine.FindStringSubmatch(line)
			key, _, _ := strings.Cut(line, " ")
			if m == nil || m[1] != family || seen[key] {
				t.Errorf("malformed, misplaced or twice: %s", line)
			}
			seen[key] = true
		}
	}
}

func TestLabelText(t *testing.T) {
	if got := labelText([]string{"a", "x\"\\\n", "b", ""}); got != `{a="x\"\\\n",b=""}` {
		t.Error(got)
	}
}
