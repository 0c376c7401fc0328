package day

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/gastownhall/tmux-carrier/sleep"
)

// SLP-2, SLP-3: over a day of made-up people and agents no session is put to
// sleep against a sign, none is woken for nothing, none is forgotten, and hours
// are saved. DAY_SEED repeats a day.
func TestDay(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	if s, err := strconv.ParseUint(os.Getenv("DAY_SEED"), 10, 64); err == nil {
		seed = s
	}
	r, err := Simulate(t.Context(), Config{Seed: seed, Sessions: 40, Interval: 2 * time.Minute})
	if err != nil {
		t.Fatalf("DAY_SEED=%d: %v", seed, err)
	}
	all := r.Classes[len(r.Classes)-1]
	if len(r.Wrong)+len(r.Forgotten) > 0 || all.Saved < 0.2*all.Always || all.Sleeps < 50 || all.Wakes < 50 {
		t.Errorf("DAY_SEED=%d\n%s", seed, r)
	}
	if all.Up < all.Needed {
		t.Errorf("DAY_SEED=%d: up less than it was needed\n%s", seed, r)
	}
	t.Logf("\n%s", r)
}

// A policy of off saves nothing and sleeps nobody; the same seed tells the same.
func TestOffAndTheSame(t *testing.T) {
	cfg := Config{Seed: 7, Sessions: 10, Interval: 5 * time.Minute, Settings: map[sleep.Class]sleep.Setting{}}
	r, err := Simulate(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if all := r.Classes[3]; all.Saved != 0 || all.Sleeps != 0 {
		t.Errorf("%s", r)
	}
	cfg.Settings = nil
	one, err1 := Simulate(t.Context(), cfg)
	two, err2 := Simulate(t.Context(), cfg)
	one.Took, two.Took = 0, 0
	if err1 != nil || err2 != nil || one.String() != two.String() {
		t.Errorf("%v %v\n%s\n%s", err1, err2, one, two)
	}
}
