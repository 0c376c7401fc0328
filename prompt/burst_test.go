package prompt

import (
	"path/filepath"
	"testing"
)

func TestBursts(t *testing.T) {
	dirs, _ := filepath.Glob(filepath.Join(panes(), "*", "burst-*"))
	for _, dir := range dirs {
		b, err := ReadBurst(dir)
		if err != nil {
			t.Fatal(err)
		}
		open, proofs, plain := b.Pairs()
		single := 0
		kinds := map[string]int{}
		for _, f := range b.Frames {
			v := Classify(f.Seen, Options{})
			k := v.Kind.String()
			if f.InFlight > 0 {
				k += "+"
				if v.Kind == Idle {
					single++
					t.Logf("   idle in flight: %s %v", f.At, v)
				}
			}
			kinds[v.Agent+" "+k]++
		}
		t.Logf("%s: pairs %d, proofs %d, plain %d, single %d %v", filepath.Base(filepath.Dir(dir))+"/"+filepath.Base(dir), open, proofs, plain, single, kinds)
	}
}
