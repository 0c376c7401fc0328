package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"
)

const (
	// escapeWait is how long an ESC may wait for the rest of a sequence.
	escapeWait = 50 * time.Millisecond
	// hintFor is how long "Press Ctrl-C again to exit" stands, about 1 s in
	// Claude Code, and how long the first press counts.
	hintFor = time.Second
	// drawEvery bounds the drawing while input floods in.
	drawEvery = 15 * time.Millisecond
	// spinEvery is the pace of the spinner.
	spinEvery = 100 * time.Millisecond
	// outliveFor bounds IgnoreSignals: a test that fails must not leave a
	// process behind for ever.
	outliveFor = 2 * time.Minute
)

// ExitError says that the agent ended itself with a status other than 0.
type ExitError struct{ Code int }

func (e *ExitError) Error() string { return fmt.Sprintf("agent: exit status %d", e.Code) }

// errQuit ends the loop with status 0.
var errQuit = errors.New("quit")

// An agent is one run of the program. It is used by one goroutine.
type agent struct {
	opts     Options
	log      *logger
	term     terminal
	parser   parser
	burst    burst
	composer composer
	dialog   *dialog
	turn     *turn
	queue    []string

	popDialog   time.Time // a permission dialog comes up then
	dialogInput bool      // a permission dialog comes up at the next text
	hint        string    // in the footer, until hintEnd
	hintKey     keyKind   // the key that must be pressed again
	hintEnd     time.Time
	escapeAt    time.Time // an undecided ESC is the Escape key then
	dirty       bool
	drawn       time.Time
	spins       int
}

// Run runs an agent on a terminal until it is quit, its terminal is gone, or
// ctx is done, and leaves the terminal as it found it. Nobody else may read
// from in while it runs, nor after a cancellation: a read may be under way.
func Run(ctx context.Context, opts Options, in, out *os.File) (err error) {
	opts, err = opts.withDefaults()
	if err != nil {
		return err
	}
	if !term.IsTerminal(int(in.Fd())) {
		return errors.New("agent: standard input is not a terminal")
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGWINCH)
	defer signal.Stop(signals)

	log, err := openLog(opts.Log)
	if err != nil {
		return err
	}
	defer func() {
		var exit *ExitError
		switch {
		case errors.As(err, &exit):
			log.event("exit %d", exit.Code)
		case err != nil:
			log.event("exit: %v", err)
		default:
			log.event("exit 0")
		}
		err = errors.Join(err, log.close())
	}()
	log.start()

	if err := pause(ctx, opts, signals, opts.StartDelay); err != nil {
		return err
	}
	saved, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return fmt.Errorf("agent: raw mode: %w", err)
	}
	defer func() { _ = term.Restore(int(in.Fd()), saved) }()
	if opts.StartDelay > 0 {
		flushInput(in)
	}
	a := newAgent(opts, log, out)
	a.term.open(!opts.NoBrackets)
	defer a.term.close()
	a.draw(time.Now())
	if err := pause(ctx, opts, signals, opts.DeafFor); err != nil {
		return err
	}
	log.event("ready")
	if err := a.loop(ctx, reads(ctx, in), signals); !errors.Is(err, errQuit) {
		return err
	}
	return nil
}

func newAgent(opts Options, log *logger, out *os.File) *agent {
	a := &agent{opts: opts, log: log, dialogInput: opts.DialogInput}
	a.burst.window = opts.Burst
	a.term = terminal{out: out, alternate: opts.Alternate}
	a.term.measure()
	a.term.print(" ▐▛███▜▌   demo agent", " ▝▜█████▛▘  /help says what it does", "")
	if opts.Draft != "" {
		a.composer.insert([]byte(opts.Draft))
	}
	switch {
	case opts.Trust:
		a.show(trustDialog())
	case opts.DialogStart:
		a.show(permissionDialog())
	}
	return a
}

// pause waits before the agent reads.
func pause(ctx context.Context, o Options, signals <-chan os.Signal, d time.Duration) error {
	for end := time.After(d); ; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case s := <-signals:
			if s != syscall.SIGWINCH && !o.IgnoreSignals {
				return signaled(s)
			}
		case <-end:
			return nil
		}
	}
}

func signaled(s os.Signal) error { return &ExitError{128 + int(s.(syscall.Signal))} }

// reads hands over each read from in, until in ends. An agent that does not
// take them stops reading, but for the one that is under way.
func reads(ctx context.Context, in *os.File) <-chan []byte {
	ch := make(chan []byte)
	go func() {
		defer close(ch)
		for {
			b := make([]byte, 64<<10)
			n, err := in.Read(b)
			if n > 0 {
				select {
				case ch <- b[:n]:
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return ch
}

func (a *agent) loop(ctx context.Context, input <-chan []byte, signals <-chan os.Signal) error {
	for {
		now := time.Now()
		if err := a.tick(now); err != nil {
			return err
		}
		select {
		case chunk, ok := <-input:
			if !ok {
				return a.outlive(ctx)
			}
			if err := a.read(chunk); err != nil {
				return err
			}
		case s := <-signals:
			switch {
			case s == syscall.SIGWINCH:
				a.term.resized()
				a.dirty = true
			case a.opts.IgnoreSignals:
				a.log.event("ignored %v", s)
			default:
				return signaled(s)
			}
		case <-time.After(a.next(now)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// outlive is what follows on the loss of the terminal.
func (a *agent) outlive(ctx context.Context) error {
	if !a.opts.IgnoreSignals {
		return signaled(syscall.SIGHUP)
	}
	a.log.event("terminal lost")
	select {
	case <-ctx.Done():
	case <-time.After(outliveFor):
	}
	return errors.New("agent: the terminal is gone")
}

// tick does what is due at now.
func (a *agent) tick(now time.Time) error {
	if !a.escapeAt.IsZero() && !now.Before(a.escapeAt) {
		a.escapeAt = time.Time{}
		if err := a.keys(now, a.parser.flush()); err != nil {
			return err
		}
	}
	if a.hint != "" && !now.Before(a.hintEnd) {
		a.hint, a.dirty = "", true
	}
	if !a.popDialog.IsZero() && !now.Before(a.popDialog) && a.dialog == nil {
		a.popDialog = time.Time{}
		a.show(permissionDialog())
	}
	if err := a.turnTick(now); err != nil {
		return err
	}
	if a.dirty && now.Sub(a.drawn) >= drawEvery {
		a.draw(now)
	}
	return nil
}

// next is how long nothing is due.
func (a *agent) next(now time.Time) time.Duration {
	d := time.Hour
	for _, t := range []time.Time{a.escapeAt, a.hintEnd, a.popDialog, a.turnDue(now)} {
		if t.After(now) {
			d = min(d, t.Sub(now))
		}
	}
	if a.dirty {
		d = min(d, a.drawn.Add(drawEvery).Sub(now))
	}
	return max(d, 0)
}

// read takes the bytes of one read.
func (a *agent) read(chunk []byte) error {
	a.log.read(chunk)
	time.Sleep(time.Duration(len(chunk)) * a.opts.PerKiB / 1024)
	now := time.Now()
	err := a.keys(now, a.parser.feed(chunk))
	a.escapeAt = time.Time{}
	if a.parser.undecided() {
		a.escapeAt = now.Add(escapeWait)
	}
	return err
}

func (a *agent) draw(now time.Time) {
	a.drawn, a.dirty = now, false
	a.term.setTitle(a.titleNow())
	a.term.draw(a.frame(now))
}
