package agent

import "time"

// keys handles the keys that one read brought.
func (a *agent) keys(now time.Time, keys []key) error {
	a.burst.mark(now, keys)
	for _, k := range keys {
		a.dirty = true
		if err := a.key(now, k); err != nil {
			return err
		}
	}
	return nil
}

func (a *agent) key(now time.Time, k key) error {
	if a.dialogInput && (k.kind == keyText || k.kind == keyPaste) {
		a.dialogInput = false
		defer a.show(permissionDialog()) // the text still goes in, its Enter does not
	}
	if a.dialog != nil {
		return a.dialogKey(now, k)
	}
	switch k.kind {
	case keyText:
		a.composer.insert(k.text)
	case keyPaste:
		a.composer.paste(k.text, a.opts.Placeholders)
	case keyNewline:
		a.composer.insert([]byte("\n"))
	case keyEnter:
		if k.burst {
			a.log.event("newline for an Enter in a burst")
			a.composer.insert([]byte("\n"))
			return nil
		}
		return a.submit(now)
	case keyBackspace:
		a.composer.backspace()
	case keyKillLine:
		a.composer.killLine()
	case keyEscape:
		return a.escape(now)
	case keyInterrupt:
		return a.ctrlC(now)
	case keyEOF:
		if a.composer.empty() {
			return errQuit
		}
	}
	return nil
}

func (a *agent) show(d *dialog) {
	a.dialog, a.dirty = d, true
	a.log.event("dialog shown: %s", d.name)
}

func (a *agent) dialogKey(now time.Time, k key) error {
	d := a.dialog
	picked := d.key(k)
	if picked < 0 {
		if k.kind == keyText || k.kind == keyPaste {
			a.log.event("dialog dropped %d bytes", len(k.text))
		}
		return nil
	}
	answer := d.options[picked]
	a.log.event("dialog answered: %s", answer)
	a.dialog = nil
	switch answer {
	case trustNo:
		return &ExitError{1}
	case menuExit:
		return errQuit
	}
	refused := d.name == "permission" && picked == d.cancel
	if a.turn != nil && (refused || answer == menuCancel) {
		return a.interrupt(now)
	}
	return nil
}

// ctrlC: see CtrlCs.
func (a *agent) ctrlC(now time.Time) error {
	how := a.opts.CtrlC
	switch {
	case how == "ignore":
		return nil
	case a.turn != nil && how == "second":
		return a.interrupt(now)
	case a.turn != nil && how == "menu":
		a.show(menuDialog())
		return nil
	case a.turn != nil && how == "first":
		return errQuit
	case a.turn == nil && !a.composer.empty():
		a.composer.clear()
		a.log.event("draft cleared")
		if how == "second" || how == "never" {
			a.again(now, keyInterrupt, "Press Ctrl-C again to exit")
		}
		return nil
	case how == "first" || how == "menu":
		return errQuit
	}
	if a.again(now, keyInterrupt, "Press Ctrl-C again to exit") {
		return errQuit
	}
	return nil
}

// escape: see Escapes.
func (a *agent) escape(now time.Time) error {
	switch how := a.opts.Escape; {
	case how == "ignore":
	case how == "exit":
		return errQuit
	case a.turn != nil:
		if how == "interrupt" || a.again(now, keyEscape, "esc again to interrupt") {
			return a.interrupt(now)
		}
	case !a.composer.empty() && a.again(now, keyEscape, "esc again to clear"):
		a.composer.clear()
		a.log.event("draft cleared")
	}
	return nil
}

// again reports whether k was pressed before, and the hint still stands; if
// not, it shows the hint.
func (a *agent) again(now time.Time, k keyKind, hint string) bool {
	if a.hint != "" && a.hintKey == k && now.Before(a.hintEnd) {
		a.hint = ""
		return true
	}
	a.hint, a.hintKey, a.hintEnd = hint, k, now.Add(hintFor)
	return false
}
