package tmuxbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
)

// mainSession is a target that is session main and nothing else: "main" would
// match main2 as well, and "=main" fails for commands that want a pane.
const mainSession = "=main:"

// recordedPane is where a start records the agent's pane (CAR-4), in the
// environment of session main. A pane's index or place moves with every split.
const recordedPane = "GC_AGENT_PANE"

// agent is what tmux knows of the agent's pane.
type agent struct {
	Pane     string // %7
	PID      int    // of its root process; 0 when dead, on tmux 3.8
	Dead     bool
	Status   string    // exit status of a dead one, where tmux tells
	Activity time.Time // of its window: the last output
	Client   time.Time // of the session: the last key of an attached client
}

// agentFormat has its fields separated by commas, since some may be empty.
const agentFormat = "PANE,#{pane_id},#{pane_pid},#{pane_dead},#{pane_dead_status},#{window_activity},#{session_activity}"

// agent finds the agent's pane: the recorded one, else the one with the lowest id.
// A session that has lost its recorded pane has lost its agent. Absent is
// box.ErrAbsent.
func (r *runtime) agent(ctx context.Context, b *Box) (agent, error) {
	var (
		panes    []agent
		recorded string
	)
	// A server that goes away under its client also makes it end with rc 0 and no
	// output.
	for range 2 {
		// show-environment fails when nothing is recorded, after the list is printed.
		out, err := r.tmux(ctx, b, "list-panes", "-s", "-t", mainSession, "-F", agentFormat,
			";", "show-environment", "-t", "=main", recordedPane)
		if panes, recorded = parseAgents(out); len(panes) > 0 {
			break
		}
		if err != nil && !errors.Is(err, errDying) {
			return agent{}, err
		}
	}
	if len(panes) == 0 {
		return agent{}, fmt.Errorf("session %q: tmux: %w", b.Name, errDying)
	}
	if recorded == "" {
		return slices.MinFunc(panes, func(a, b agent) int { return cmp.Compare(paneNumber(a), paneNumber(b)) }), nil
	}
	i := slices.IndexFunc(panes, func(a agent) bool { return a.Pane == recorded })
	if i < 0 {
		return agent{}, fmt.Errorf("session %q: the agent's pane %s is gone: %w", b.Name, recorded, box.ErrAbsent)
	}
	return panes[i], nil
}

func parseAgents(out string) (panes []agent, recorded string) {
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if value, ok := strings.CutPrefix(line, recordedPane+"="); ok {
			recorded = value
		}
		f := strings.Split(line, ",")
		if len(f) != 7 || f[0] != "PANE" {
			continue
		}
		pid, _ := strconv.Atoi(f[2])
		panes = append(panes, agent{
			Pane: f[1], PID: pid, Dead: f[3] == "1", Status: f[4],
			Activity: unixTime(f[5]), Client: unixTime(f[6]),
		})
	}
	return panes, recorded
}

func paneNumber(a agent) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(a.Pane, "%"))
	return n
}

func unixTime(s string) time.Time {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n > 0 {
		return time.Unix(n, 0)
	}
	return time.Time{}
}

// find is agent, by the session's name.
func (r *runtime) find(ctx context.Context, name string) (*Box, agent, error) {
	b, err := r.boxes.find(name)
	if err != nil {
		return nil, agent{}, err
	}
	a, err := r.agent(ctx, b)
	return b, a, err
}

// live is find, but a dead agent is box.ErrAbsent too.
func (r *runtime) live(ctx context.Context, name string) (*Box, agent, error) {
	b, a, err := r.find(ctx, name)
	if err == nil && a.Dead {
		err = fmt.Errorf("session %q: the agent has ended: %w", name, box.ErrAbsent)
	}
	return b, a, err
}

func (r *runtime) isRunning(ctx context.Context, name string) (bool, error) {
	_, _, err := r.live(ctx, name)
	return yesNo(err)
}

// yesNo makes absent a no; any other error stays "cannot tell".
func yesNo(err error) (bool, error) {
	if errors.Is(err, box.ErrAbsent) {
		return false, nil
	}
	return err == nil, err
}

// lastActivity is the later of two clocks. Measured on tmux 3.3a: window_activity
// follows what the agent prints, session_activity only the keys of an attached
// client, neither captures nor send-keys into an agent that stays silent.
func (r *runtime) lastActivity(ctx context.Context, name string) (time.Time, error) {
	_, a, err := r.live(ctx, name)
	if errors.Is(err, box.ErrAbsent) {
		return time.Time{}, nil
	}
	if a.Client.After(a.Activity) {
		return a.Client, err
	}
	return a.Activity, err
}

// isAttached: a session that is not there has nobody attached; an answer without
// its end is no answer.
func (r *runtime) isAttached(ctx context.Context, name string) (bool, error) {
	b, err := r.boxes.find(name)
	if err == nil {
		var out string
		out, err = r.tmux(ctx, b, "list-clients", "-t", mainSession, "-F", "CLIENT", ";",
			"display-message", "-p", "-t", mainSession, "END")
		if err == nil && !strings.Contains(out, "END\n") {
			err = fmt.Errorf("session %q: tmux gave no answer", name)
		}
		if err == nil {
			return strings.Contains(out, "CLIENT\n"), nil
		}
	}
	_, err = yesNo(err)
	return false, err
}
