package local

import (
	"testing"

	"github.com/gastownhall/tmux-carrier/rpp"
)

// BOX-4: any umask, also one that takes from the owner; the agent has what it leaves.
func TestUmask(t *testing.T) {
	for umask, want := range map[string]string{"000": "0000", "027": "0027", "077": "0077", "777": "0077", "300": "0000"} {
		t.Run(umask, func(t *testing.T) {
			t.Parallel()
			r, _ := asNobody(t)
			r.Argv = append([]string{"sh", "-c", `umask "$0"; exec "$@"`, umask}, r.Argv...)
			r.MustStart(t, "s", rpp.StartConfig{
				Command: "umask >umask; sleep 1000", Env: map[string]string{"GC_SESSION_ID": "id"},
				PreStart: []string{"mkdir sub"}, Nudge: "hello", CopyFiles: []rpp.CopyFile{{Src: "/etc/passwd", RelDst: "a/b/c"}},
			})
			r.Wait(t, "s", "the agent's umask", func() bool { return r.Exec(t, "s", "cat umask") == want+"\n" })
			if got := r.Exec(t, "s", "cd sub && head -c 4 ../a/b/c && umask"); got != "root"+want+"\n" {
				t.Errorf("exec: %q", got)
			}
			r.Must(t, "value", "set-meta", "s", "key")
			if got := r.Must(t, "", "get-meta", "s", "key"); got != "value" && got != "value\n" {
				t.Errorf("get-meta: %q", got)
			}
		})
	}
}
