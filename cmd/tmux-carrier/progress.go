package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// progress shows, on a terminal's standard error, that something long goes on and for
// how long; elsewhere it shows nothing. The function that it returns ends it and takes
// the line away.
func (p *program) progress(what string) (done func()) {
	if p.json || !isTerminal(p.err) {
		return func() {}
	}
	const first, each = time.Second, time.Second // what is quicker needs no word
	stop, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		start, shown := time.Now(), false
		tick := time.NewTimer(first)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				if shown {
					fmt.Fprint(p.err, "\r\x1b[K")
				}
				return
			case <-tick.C:
				fmt.Fprintf(p.err, "\r\x1b[K%s … %d s", printable(what), int(time.Since(start).Seconds()))
				shown = true
				tick.Reset(each)
			}
		}
	}()
	return func() {
		close(stop)
		<-gone
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
