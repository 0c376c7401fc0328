package agent

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A turn is the work on one message.
type turn struct {
	text       string
	start, end time.Time
	signAt     time.Time // the busy sign shows from then on
	answer     string
}

// submit takes the draft as a message, at once or behind the running turn.
func (a *agent) submit(now time.Time) error {
	// Claude Code, Codex and Gemini CLI drop newlines at the end, which is how
	// a second Enter submits the exact text after a first one was a newline.
	text := strings.TrimRight(string(a.composer.text()), "\n")
	if a.opts.Traps {
		before, backslash := strings.CutSuffix(text, `\`)
		switch {
		case backslash:
			a.composer.clear()
			a.composer.insert([]byte(before + "\n"))
			a.log.event("newline for a backslash")
			return nil
		case strings.HasPrefix(text, "!"), strings.HasPrefix(text, "/") && commandOf(text) == "":
			a.composer.clear()
			a.log.event("not a message: starts with %s", text[:1])
			return nil
		}
	}
	if strings.TrimSpace(text) == "" {
		a.log.event("nothing to submit")
		return nil
	}
	a.composer.clear()
	a.log.submit(text, a.turn != nil)
	if a.turn != nil {
		a.queue = append(a.queue, text)
		return nil
	}
	return a.begin(now, text)
}

// begin starts the turn of a message.
func (a *agent) begin(now time.Time, text string) error {
	a.log.event("turn")
	a.echo(text)
	a.turn = &turn{
		text: text, start: now, end: now.Add(a.opts.Busy), signAt: now.Add(a.opts.Lag),
		answer: fmt.Sprintf("Read %d bytes, %d lines.", len(text), 1+strings.Count(text, "\n")),
	}
	return a.command(now, text)
}

// echoRows bounds what the transcript shows of a message.
const echoRows = 20

func (a *agent) echo(text string) {
	shown, more := text, ""
	if len(shown) > echoRows*a.term.width {
		shown = shown[:echoRows*a.term.width]
	}
	rows := block(a.opts.Prompt, shown, a.term.width)
	if len(rows) > echoRows || len(shown) < len(text) {
		rows = rows[:min(len(rows), echoRows)]
		more = fmt.Sprintf("  … %d bytes in all", len(text))
	}
	a.term.print(rows...)
	if more != "" {
		a.term.print(more)
	}
	a.term.print("")
}

const help = `/busy 5s: a turn of 5 s
/say TEXT: answers TEXT
/lines 200: answers 200 lines
/dialog: a permission dialog now; /dialog 2s: then; /dialog input: at the next text
/freeze 2s: reads nothing and draws nothing for 2 s
/exit 3: exits with status 3`

// commandOf returns the command that text is, or "".
func commandOf(text string) string {
	name, _, _ := strings.Cut(text, " ")
	switch name {
	case "/help", "/busy", "/say", "/lines", "/dialog", "/freeze", "/exit":
		return name
	}
	return ""
}

// command does what a message asks for, if it is a command.
func (a *agent) command(now time.Time, text string) error {
	_, arg, _ := strings.Cut(text, " ")
	wait, _ := time.ParseDuration(arg)
	switch commandOf(text) {
	case "/help":
		a.turn.answer = help
	case "/busy":
		a.turn.end = now.Add(wait)
	case "/say":
		a.turn.answer = arg
	case "/lines":
		n, _ := strconv.Atoi(arg)
		var b strings.Builder
		for i := range min(max(n, 0), 100_000) {
			fmt.Fprintf(&b, "%d. Line number %d of a long answer.\n", i+1, i+1)
		}
		a.turn.answer = strings.TrimSuffix(b.String(), "\n")
	case "/dialog":
		a.turn.end = now
		switch {
		case arg == "input":
			a.dialogInput = true
		default:
			a.popDialog = now.Add(wait)
		}
	case "/freeze":
		a.log.event("freeze %v", wait)
		time.Sleep(wait)
		a.turn.end = now.Add(wait)
	case "/exit":
		if code, _ := strconv.Atoi(arg); code != 0 {
			return &ExitError{code}
		}
		return errQuit
	}
	return nil
}

// turnTick ends a turn that is due, and starts the next one of the queue.
func (a *agent) turnTick(now time.Time) error {
	for a.turn != nil && a.dialog == nil && !now.Before(a.turn.end) {
		a.term.print(block("● ", a.turn.answer, a.term.width)...)
		a.term.print("")
		a.log.event("turn done")
		if err := a.endTurn(now); err != nil {
			return err
		}
	}
	if a.turn != nil && a.dialog == nil && now.Sub(a.drawn) >= spinEvery {
		a.spins++
		a.dirty = true
	}
	return nil
}

// endTurn leaves the turn for the oldest message in the queue.
func (a *agent) endTurn(now time.Time) error {
	a.turn, a.dirty = nil, true
	if len(a.queue) == 0 {
		return nil
	}
	text := a.queue[0]
	a.queue = a.queue[1:]
	return a.begin(now, text)
}

// turnDue is when the turn next needs attention.
func (a *agent) turnDue(now time.Time) time.Time {
	if a.turn == nil || a.dialog != nil {
		return time.Time{}
	}
	due := a.drawn.Add(spinEvery)
	for _, t := range []time.Time{a.turn.end, a.turn.signAt} {
		if t.After(now) && t.Before(due) {
			due = t
		}
	}
	return due
}

// interrupt ends the turn unfinished.
func (a *agent) interrupt(now time.Time) error {
	a.log.event("interrupt")
	a.term.print("  ⎿  Interrupted · What should I do instead?", "")
	if a.opts.Restore {
		a.composer.insert([]byte(a.turn.text))
	}
	return a.endTurn(now)
}
