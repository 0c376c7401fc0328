package carrier

import "context"

// Dedicated is what a Conn may be besides: the runtime's own operations for the
// verbs. handled is false for an operation that the runtime does not have (exit 2).
// They confirm nothing, and know no fence.
type Dedicated interface {
	Nudge(ctx context.Context, session, text string) (handled bool, err error)
	SendKeys(ctx context.Context, session string, keys ...string) (handled bool, err error)
	Interrupt(ctx context.Context, session string) (handled bool, err error)
	Peek(ctx context.Context, session string, lines int) (text string, handled bool, err error)
	ClearScrollback(ctx context.Context, session string) (handled bool, err error)
}
