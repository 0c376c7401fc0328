package idle

import (
	"context"
	"errors"
	"fmt"
)

// ErrUnsupported: the runtime has no idle boundary, for it lacks report-activity,
// report-attachment or proc.exec (IDL-1). Do not ask again.
var ErrUnsupported = errors.New("the runtime has no idle boundary")

// ErrBusy: not proven idle within the budget. Leave it awake. It wraps
// context.DeadlineExceeded, as gc's own waits do.
var ErrBusy = fmt.Errorf("not idle: %w", context.DeadlineExceeded)
