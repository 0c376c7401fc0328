package prompt

import (
	"path/filepath"
	"testing"
)

// PRM-2, IDL-2: no two frames about 200 ms apart, a request open at the model, prove idleness;
// and Codex, whose titles were not recorded, is idle in no frame.
func TestBursts(t *testing.T) {
	for _, set := range sets(t) {
		dirs, err := filepath.Glob(filepath.Join(set, "*", "burst-*"))
		if err != nil || len(dirs) == 0 {
			t.Fatalf("no bursts in %s: %v", set, err)
		}
		for _, dir := range dirs {
			b, err := ReadBurst(dir)
			if err != nil {
				t.Fatal(err)
			}
			open, proofs, plain := b.Pairs()
			if proofs > 0 {
				t.Errorf("%s: %d of %d pairs with a request open prove idleness", dir, proofs, open)
			}
			idle := 0
			for _, f := range b.Frames {
				v := Classify(f.Seen, Options{})
				if v.Kind == Idle {
					idle++
				}
				if v.Kind == Idle && (f.InFlight > 0 || b.Agent == "codex") {
					t.Errorf("%s at %v, %d requests open: %v", dir, f.At, f.InFlight, v)
				}
			}
			t.Logf("%s: %d frames, %d idle; %d pairs with a request open: %d proofs, by the plain rule %d",
				filepath.Join(filepath.Base(filepath.Dir(dir)), filepath.Base(dir)), len(b.Frames), idle, open, proofs, plain)
		}
	}
}
