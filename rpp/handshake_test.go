package rpp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// RPP-6.
func TestHandshake(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		body    string
		want    Handshake
		has     bool // proc.exec
		fails   bool
		asksNew bool // no answer: asked again
	}{
		{body: `echo '{"version":0,"capabilities":["proc.exec","x.y"]}'`, want: Handshake{0, []string{"proc.exec", "x.y"}}, has: true},
		{body: `echo '{"version":7,"capabilities":["proc.exec"],"new":{}}'`, want: Handshake{7, []string{"proc.exec"}}, has: true},
		{body: `echo '{"version":0}'`},
		{body: `echo '{"version":0,"capabilities":null}'`},
		{body: `exit 2`},
		{body: `echo '{"capabilities":["proc.exec"]}'; exit 2`},
		{body: `exit 0`},
		{body: `echo; echo ' '`},
		{body: `echo '{"capabilities":["proc.exec"]'`, fails: true},
		{body: `echo '{"capabilities":["proc.exec"]} {}'`, fails: true},
		{body: `echo '["proc.exec"]'`, fails: true},
		{body: `echo '{"capabilities":"proc.exec"}'`, fails: true},
		{body: `echo '{"version":-1,"capabilities":["proc.exec"]}'`, fails: true},
		{body: `echo '{"version":"0"}'`, fails: true},
		{body: `echo '{"version":1.5}'`, fails: true},
		{body: `echo '{"capabilities":["proc.exec"]}'; exit 1`, fails: true, asksNew: true},
		{body: `kill -KILL $$`, fails: true, asksNew: true},
	} {
		t.Run(tt.body, func(t *testing.T) {
			t.Parallel()
			p := script(t, `echo >>$DIR/count; `+tt.body)
			for range 2 {
				got, err := p.Protocol(t.Context())
				if !reflect.DeepEqual(got, tt.want) || (err != nil) != tt.fails {
					t.Errorf("got %+v, %v", got, err)
				}
			}
			if got := p.Has(t.Context(), CapExec); got != tt.has {
				t.Errorf("has proc.exec: %v", got)
			}
			count, _ := os.ReadFile(filepath.Join(p.Dir, "count"))
			if n := strings.Count(string(count), "\n"); (n > 1) != tt.asksNew {
				t.Errorf("asked %d times", n)
			}
		})
	}
}

// RPP-6: many at once ask once; the first one canceled spoils nothing, and who
// waits for another's handshake leaves when their own context ends.
func TestHandshakeConcurrent(t *testing.T) {
	t.Parallel()
	p := script(t, `echo >>$DIR/count; echo >$DIR/ready
while ! [ -e $DIR/go ]; do sleep 0.01; done; echo '{"capabilities":["proc.exec"]}'`)
	if err := canceled(t, p, func(ctx context.Context) error { _, err := p.Protocol(ctx); return err }); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	os.Remove(filepath.Join(p.Dir, "ready"))
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if !p.Has(t.Context(), CapExec) {
				t.Error("no proc.exec")
			}
		})
	}
	readWhen(t, filepath.Join(p.Dir, "ready"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Protocol(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled while another asks: %v", err)
	}
	if err := os.WriteFile(filepath.Join(p.Dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	count, _ := os.ReadFile(filepath.Join(p.Dir, "count"))
	if n := strings.Count(string(count), "\n"); n != 2 { // the canceled one, and one
		t.Errorf("asked %d times", n)
	}
}
