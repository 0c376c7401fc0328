package sleep_test

import (
	"fmt"
	"time"

	"github.com/gastownhall/tmux-carrier/sleep"
)

func ExampleDecide() {
	config, _, err := sleep.Parse([]byte(`
[session_sleep]
interactive_resume = "10m"

[[session]]
name = "bob"
class = "interactive_resume"
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	capability, attachment := sleep.CapabilityOf([]string{"report-activity", "report-attachment", "proc.exec"})

	// Bob was left alone at noon.
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	facts := sleep.Facts{Running: sleep.Yes, Attached: sleep.No, LastActivity: noon.Add(-time.Minute)}
	record := sleep.Record{}.Observe(facts, noon, false)
	for _, after := range []time.Duration{4 * time.Minute, 10 * time.Minute} {
		now := noon.Add(after)
		record = record.Observe(facts, now, false)
		d := sleep.Decide(sleep.Snapshot{
			Now: now, Policy: config.Policy("bob", capability, attachment), Facts: facts, Record: record,
		})
		fmt.Printf("%s (%s): %s\n", d.Action, d.Rule, d.Why)
	}
	// Output:
	// keep (window): idle for 4m0s, of 10m0s (session_sleep.interactive_resume)
	// probe (probe): idle for 10m0s by the clock; is it at an idle boundary?
}
