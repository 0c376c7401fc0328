// Package session is a life: start, provision and launch, relaunch, stop; the
// fence and the ready prompt around them; startup dialogs.
package session
