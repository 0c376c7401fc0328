package session

import "time"

// HurryAnswers shortens the wait for what a key did at a dialog.
func HurryAnswers(d time.Duration) { answerTime = d }
