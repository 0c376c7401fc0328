package runtimetest

import "testing"

// Suite runs every test, each with a rig of its own.
func Suite(t *testing.T, rig func(t *testing.T) *Rig) {
	for name, test := range map[string]func(*testing.T, *Rig){
		"life":           life,
		"environment":    environment,
		"warm box":       warmBox,
		"held box":       heldBox,
		"callers":        concurrentCallers,
		"dead agent":     deadAgent,
		"ended at once":  endedAtOnce,
		"root process":   rootProcess,
		"setup":          setup,
		"metadata":       metadata,
		"processes":      processes,
		"attachment":     attachment,
		"driving":        driving,
		"keys":           keys,
		"interrupt":      interrupt,
		"nudge waits":    nudgeWaits,
		"copies":         copies,
		"watch":          watch,
		"absent session": absentSession,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, rig(t))
		})
	}
}
