package session

import "time"

// HurryProcesses shortens the wait for process names.
func HurryProcesses(d time.Duration) { processTime = d }

// HurryAnswers shortens the wait for what a key did at a dialog.
func HurryAnswers(d time.Duration) { answerTime = d }
