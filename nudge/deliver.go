package nudge

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/prompt"
)

const (
	// execTime is how long one exec may take (tables.md), when the caller's
	// context does not say less.
	execTime = 30 * time.Second
	// looking is what confirmation and the work around it take at most.
	looking = 4 * time.Second
	// maxEnters is how often Enter is pressed for one message (NUD-6).
	maxEnters = 3
	// maxMoves is how often a pane that changed before anything was typed is
	// looked for again.
	maxMoves = 3
)

// Deliver types the message into the agent pane and presses Enter, in one exec. A text
// whose quoted form exceeds 96 KiB goes ahead in parts, an exec each; and it costs one
// more to look first, where a client is attached or text is seen in the composer, and
// one for each Enter that has to be repeated.
//
// A nil error means that text and Enter were written to the agent's terminal; the
// Receipt's Confirmed tells what the agent made of them. Errors: *TextError,
// ErrIDReused, the errors of fence, *fence.RefusedError and box.ErrAbsent (nothing
// was typed), *PartialError (the text is in, Enter is not), box.ErrUnavailable
// (the Receipt's Stage says what is known of what went in).
func Deliver(ctx context.Context, door box.Door, session string, m Message) (Receipt, error) {
	if m.ID == "" {
		m.ID = NewID()
	}
	r := Receipt{Session: session, ID: m.ID, Stage: Nothing, Confirmed: Unconfirmed, Brackets: "unknown"}
	agent := prompt.Lookup(m.Agent)
	text, err := m.Prepared()
	if err != nil {
		return r, err
	}
	if agent != nil && agent.Unbracketed && strings.Contains(text, "\n") && !m.LineByLine {
		return r, errLines()
	}
	if err := fence.Require(ctx, door, session, m.Fence); err != nil {
		return r, err
	}
	d := delivery{door: door, message: m, agent: agent, text: text, receipt: r}
	// The same message sent again takes the place in the queue of a call that was cut.
	// Should that go on in the box, the journal lets only one of them act.
	d.ticket = fingerprint(entry(m.ID, text))
	err = d.run(ctx)
	return d.receipt, err
}

// delivery is one message on its way.
type delivery struct {
	door    box.Door
	message Message
	agent   *prompt.Profile // nil: not known
	text    string
	ticket  string
	looked  bool // at the composer, and nothing stands in the way
	enters  int  // how often Enter was pressed, as far as is known
	begun   bool // the delivery itself, not only its text, went to the box
	receipt Receipt
}

func newTicket() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

func (d *delivery) run(ctx context.Context) error {
	for again, moves := 0, 0; ; {
		said, err := d.exec(ctx, again)
		d.note(said)
		switch {
		case err != nil:
			return d.failed(said, err)
		case said.conflict:
			return fmt.Errorf("session %q: message %s: %w", d.receipt.Session, d.message.ID, ErrIDReused)
		case said.draft:
			if err := d.judgeDraft(ctx, said); err != nil {
				return err
			}
			continue
		}
		err = said.refusal(d.receipt.Session, d.guard())
		switch {
		case moves < maxMoves && (errors.Is(err, fence.ErrMoved) || said.lostTurn(err)):
			// The pane's process is another; or an earlier call with this message went on
			// in the box, did this step and gave the turn that it shares with us; or
			// another sender took it. The journal tells what is left to do.
			moves++
			continue
		case err != nil:
			return d.refused(err)
		case said.enters == 0:
			return d.failed(said, d.door.Outage(ctx, d.receipt.Session, "nudge: an answer without a stage"))
		}
		d.confirm(said)
		if d.receipt.Confirmed != Drafted {
			return nil
		}
		if said.enters >= maxEnters || again == said.enters {
			return d.partial(errors.New("the text still stands in the composer"))
		}
		again = said.enters
	}
}

// guard is the condition under which this message may be typed.
func (d *delivery) guard() fence.Guard {
	g := fence.Guard{
		Ticket:    d.ticket,
		Token:     d.message.Fence,
		Brackets:  strings.Contains(d.text, "\n") && !d.message.LineByLine,
		Journaled: true,
	}
	if !d.message.EvenDialog {
		g.Dialog = prompt.DialogFormat()
	}
	return g
}

// exec runs one round trip: the whole delivery, or one more Enter.
func (d *delivery) exec(ctx context.Context, again int) (said, error) {
	settle := d.settle()
	hold := settle + 3*time.Second // the script renews it as it goes on
	keys := d.message.SubmitKeys
	switch {
	case keys != nil:
	case d.agent != nil:
		keys = d.agent.Submit
	default:
		keys = []string{"Enter"}
	}
	count := ""
	if again > 0 {
		count = strconv.Itoa(again)
	}
	args := []string{
		d.ticket, seconds(hold), seconds(patience(ctx, settle+looking)), fence.OptionIn(ctx, d.door), string(d.message.Fence),
		entry(d.message.ID, d.text), count, fraction(settle), insideFormat,
		pasting(d.guard(), "gc-"+d.ticket).Arg(), pressing(d.guard(), keys, d.text, false).Arg(), pressing(d.guard(), keys, d.text, true).Arg(),
		d.looksFirst(), strconv.Itoa(len(d.text)),
	}
	from, text := "", d.text
	if !deliverScript.Fits(append(args, "", text)...) {
		var err error
		if from, err = d.put(ctx); err != nil {
			return said{}, fmt.Errorf("%w (nothing was typed)", err)
		}
		text = ""
	}
	d.receipt.Execs++
	d.begun = true
	reply, err := d.door.Run(ctx, d.receipt.Session, deliverScript, append(args, from, text)...)
	return parse(string(reply.Output)), err
}

func seconds(d time.Duration) string { return strconv.Itoa(int(math.Ceil(d.Seconds()))) }

// settle is the time between the text and its Enter.
func (d *delivery) settle() time.Duration {
	switch {
	case d.message.Settle > 0:
		return d.message.Settle
	case d.agent != nil:
		return d.agent.Settle.For(len(d.text))
	default:
		return prompt.Generic.Settle.For(len(d.text))
	}
}

// note takes over into the receipt what an answer tells.
func (d *delivery) note(s said) {
	// What an earlier answer told is not taken back by one that tells less.
	d.enters = max(d.enters, s.enters)
	switch {
	case d.enters > 0:
		d.receipt.Stage = Submitted
	case s.typed:
		d.receipt.Stage = Typed
	}
	switch s.brackets {
	case "1":
		d.receipt.Brackets = "yes"
	case "0":
		d.receipt.Brackets = "no"
	}
}

// confirm reads what the screen shows after Enter.
func (d *delivery) confirm(s said) {
	if s.seen == nil {
		return
	}
	d.receipt.Confirmed, d.receipt.Sign = confirmed(*s.seen, d.text, d.message.Agent, s.untaken)
}

// failed is the error for an exec that did not answer whole.
func (d *delivery) failed(s said, err error) error {
	switch {
	case s.enters > 0 && !isCanceled(err):
		return nil // what came tells enough: Enter is in; the agent may have ended
	case s.enters > 0:
		return err
	case d.receipt.Stage != Nothing: // of a message that was seen to stand in the composer
		return d.partial(err)
	case errors.Is(err, box.ErrUnavailable) && d.begun:
		d.receipt.Stage = Unknown
	}
	return err
}

func isCanceled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

func errLines() error {
	return &TextError{Why: "it has several lines, and the program takes no bracketed paste: each would be submitted"}
}

func (d *delivery) refused(err error) error {
	if d.receipt.Stage != Nothing {
		return d.partial(err)
	}
	if fence.IsNoBrackets(err) {
		return errLines()
	}
	return err
}

func (d *delivery) partial(err error) error {
	return &PartialError{Session: d.receipt.Session, ID: d.message.ID, Enters: d.enters, Err: err}
}
