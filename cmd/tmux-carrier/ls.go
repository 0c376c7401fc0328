package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/carrier"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/prompt"
	"github.com/gastownhall/tmux-carrier/rpp"
	"github.com/gastownhall/tmux-carrier/session"
)

// atOnce is how many sessions ls looks at together: each costs four operations at once.
const atOnce = 4

// lookTime is how long ls looks at one session: a box that hangs holds up no other.
const lookTime = 10 * time.Second

func (p *program) lsVerb() *cobra.Command {
	return p.verb("ls", "The sessions: state, attached, idle since, fence, agent", 0, 0,
		func(ctx context.Context, _ []string) error {
			c, err := p.carrier()
			if err != nil {
				return err
			}
			runtime := c.Conn.(*counted).Provider
			names, err := runtime.ListRunning(ctx, "")
			if err != nil {
				return err
			}
			defer p.progress("looking at the sessions")()
			rows := make([]row, len(names))
			var group errgroup.Group
			group.SetLimit(atOnce)
			for i, name := range names {
				group.Go(func() error {
					rows[i] = look(ctx, c, runtime, name)
					return nil
				})
			}
			_ = group.Wait()
			if err := ctx.Err(); err != nil {
				return err
			}
			p.printRows(rows)
			return nil
		})
}

// row is one session as ls shows it. What could not be told is null or "".
type row struct {
	Session   string      `json:"session"`
	State     string      `json:"state"`
	Attached  *bool       `json:"attached"`
	IdleSince string      `json:"idle_since"`
	Token     fence.Token `json:"token"`
	Agent     string      `json:"agent"`
}

func look(ctx context.Context, c *carrier.Carrier, runtime *rpp.Provider, name string) row {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	r := row{Session: name, State: "unknown"}
	// Each column is an answer of its own: one that does not come holds up no other.
	var asks errgroup.Group
	asks.Go(func() error {
		if seen, err := session.Observe(ctx, c, name); err == nil {
			v := prompt.Classify(seen, prompt.Options{})
			r.State, r.Agent = v.Kind.String(), v.Agent
		} else if errors.Is(err, box.ErrAbsent) {
			r.State = "absent"
		}
		return nil
	})
	asks.Go(func() error {
		if s, err := fence.Read(ctx, c.Door(), name); err == nil {
			r.Token = s.Token
		}
		return nil
	})
	asks.Go(func() error {
		if runtime.Has(ctx, rpp.CapReportAttachment) {
			if attached, err := runtime.IsAttached(ctx, name); err == nil {
				r.Attached = &attached
			}
		}
		return nil
	})
	asks.Go(func() error {
		if at, err := runtime.LastActivity(ctx, name); err == nil && !at.IsZero() {
			r.IdleSince = at.UTC().Format(time.RFC3339)
		}
		return nil
	})
	_ = asks.Wait()
	return r
}

func (p *program) printRows(rows []row) {
	if p.json {
		for _, r := range rows {
			printJSON(p.out, r)
		}
		return
	}
	t := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "SESSION\tSTATE\tATTACHED\tIDLE\tFENCE\tAGENT")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", printable(r.Session), r.State, yesNo(r.Attached), ago(r.IdleSince), or(string(r.Token), "-"), or(r.Agent, "-"))
	}
	_ = t.Flush()
}

func yesNo(b *bool) string {
	switch {
	case b == nil:
		return "?"
	case *b:
		return "yes"
	default:
		return "no"
	}
}

// ago is how long a time lies back.
func ago(at string) string {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return "-"
	}
	return max(time.Since(t), 0).Truncate(time.Second).String()
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
