package tmuxbox

import (
	"os"
	"time"

	"github.com/gastownhall/tmux-carrier/runtimes/internal/mark"
)

// launchTime is what a caller has, after its provision, to launch the agent: gc gives a
// whole start 120 s.
const launchTime = 120 * time.Second

// warm says for whom a provisioned box waits. Provision and launch are two operations,
// so no lock lasts from one to the other; without this, each of two callers of a name
// removed the other's box as a leftover.
type warm struct {
	Caller  int       `json:"caller"`         // the process that ran provision
	Started string    `json:"caller_started"` // when that process started
	Since   time.Time `json:"since"`
}

// parent is who started this process; an orphan's parent is another one later.
var parent = os.Getppid()

// warmNow is for this process's caller. One that is gone already waits for nothing, and
// init is whom its orphans have.
func warmNow() *warm {
	w := &warm{Caller: parent, Started: mark.Started(parent), Since: time.Now()}
	if parent <= 1 || os.Getppid() != parent || w.Started == "" {
		return nil
	}
	return w
}

// held: another caller lives, and may still launch. The same one tries again.
func (w *warm) held() bool {
	if w == nil || w.Caller == os.Getppid() {
		return false
	}
	age := time.Since(w.Since)
	return age >= 0 && age < launchTime && mark.Started(w.Caller) == w.Started
}
