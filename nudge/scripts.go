package nudge

import (
	_ "embed"

	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/internal/pane"
)

var (
	//go:embed deliver.sh
	deliverSource string
	//go:embed press.sh
	pressSource string
	//go:embed put.sh
	putSource string
	//go:embed receipt.sh
	receiptSource string

	deliverScript = box.NewScript("nudge", pane.Find, pane.Turn, pane.See, deliverSource)
	pressScript   = box.NewScript("keys", pane.Find, pane.Turn, pane.See, pressSource)
	putScript     = box.NewScript("nudge: text", putSource)
	receiptScript = box.NewScript("receipt", pane.Find, receiptSource)
)
