package agent

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Options say how an agent looks and behaves. The zero value is an agent in
// the manner of Claude Code 2.1 on the main screen.
type Options struct {
	Log string // file to append the log to, made with mode 0600; empty: no log

	Prompt      string // empty: "❯ "
	NBSP        bool   // the prompt's space is U+00A0, as Claude Code's is
	Placeholder string // shown dim in an empty composer
	Draft       string // in the composer from the start, as if a human had typed it
	Alternate   bool   // draw on the alternate screen, with no scrollback
	Title       string // pane title, with a braille spinner before it while busy, as Codex's; empty: untouched
	BusySign    string // one of BusySigns; empty: the first

	Busy    time.Duration // a turn takes so long; 0: 300 ms, negative: no time
	Lag     time.Duration // the busy sign shows only so long after the Enter; 0: 30 ms, negative: at once
	Restore bool          // an interrupted message comes back into the composer, as Claude Code's does before the first token

	Burst        time.Duration // an Enter so soon after a burst is a newline; 0: 40 ms, negative: never
	PerKiB       time.Duration // a KiB of input takes so long to handle, as in Gemini CLI (2 to 5 ms)
	NoBrackets   bool          // bracketed paste stays off
	Placeholders bool          // long pastes are shown as "[Pasted text #1 +11 lines]"
	Traps        bool          // a draft that ends in \, or starts with ! or /, is not a message

	StartDelay  time.Duration // nothing is drawn for so long, and what is typed meanwhile is lost
	DeafFor     time.Duration // the prompt is there, and nothing is read for so long
	Trust       bool          // a trust dialog first, "No, exit" highlighted
	DialogStart bool          // a permission dialog is up from the start
	DialogInput bool          // one comes up at the first text: between a paste and its Enter

	CtrlC         string // one of CtrlCs; empty: the first
	Escape        string // one of Escapes; empty: the first
	IgnoreSignals bool   // HUP and TERM are ignored and the loss of the terminal is outlived, as Gemini CLI does
}

// What BusySign, CtrlC and Escape may be.
var (
	// BusySigns: "esc to interrupt" in the footer, and not while there is a
	// draft (Claude Code 2); in a line above the composer (Claude Code 1, Codex
	// before its first token); nowhere (Codex while it streams).
	BusySigns = []string{"footer", "above", "none"}

	// CtrlCs: what C-c does. It clears a draft in all but the last. Else:
	//	second  interrupts a turn; when idle, the second one exits (Claude Code 2.1, Gemini CLI)
	//	never   does not interrupt; the second one exits (Claude Code 1)
	//	first   exits, from a turn too (OpenCode)
	//	menu    asks during a turn; exits when idle (Codex)
	//	ignore  does nothing
	CtrlCs = []string{"second", "never", "first", "menu", "ignore"}

	// Escapes: what Escape does.
	//	interrupt  interrupts a turn at once; when idle, the second one clears the draft
	//	twice      the second one interrupts a turn (OpenCode, Copilot CLI)
	//	exit       exits
	//	ignore     does nothing
	Escapes = []string{"interrupt", "twice", "exit", "ignore"}
)

const nbsp = "\u00a0"

// withDefaults returns o with every zero value replaced by what it stands for.
func (o Options) withDefaults() (Options, error) {
	if o.Prompt == "" {
		o.Prompt = "❯ "
	}
	if o.NBSP {
		o.Prompt = strings.ReplaceAll(o.Prompt, " ", nbsp)
	}
	for _, c := range []struct {
		field   string
		value   *string
		choices []string
	}{{"busy sign", &o.BusySign, BusySigns}, {"C-c", &o.CtrlC, CtrlCs}, {"Escape", &o.Escape, Escapes}} {
		if *c.value == "" {
			*c.value = c.choices[0]
		}
		if !slices.Contains(c.choices, *c.value) {
			return o, fmt.Errorf("agent: no such %s: %q (have %s)", c.field, *c.value, strings.Join(c.choices, ", "))
		}
	}
	o.Busy = orDefault(o.Busy, 300*time.Millisecond)
	o.Lag = orDefault(o.Lag, 30*time.Millisecond)
	o.Burst = orDefault(o.Burst, 40*time.Millisecond)
	return o, nil
}

func orDefault(d, zero time.Duration) time.Duration {
	if d == 0 {
		return zero
	}
	return max(d, 0)
}
