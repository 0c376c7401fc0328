package pane

import _ "embed"

// Sources of scripts, to stand in front of a script's own (box.NewScript).
var (
	//go:embed find.sh
	Find string // find_pane, act, nap; reads fence, journal, last
	//go:embed turn.sh
	Turn string // take, renew, give; reads ticket, hold, patience, pane, fence, token
	//go:embed see.sh
	See string // see
)
