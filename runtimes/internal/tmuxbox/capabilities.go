package tmuxbox

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/gastownhall/tmux-carrier/rpp"
)

var versionNumber = regexp.MustCompile(`^tmux (?:next-)?(\d+)\.\d+`)

// Capabilities is what a runtime of this package declares when `tmux -V` in its boxes
// prints version. A fence is a pane option, which tmux has since 3.0; a tmux that
// does not tell (built from a branch, OpenBSD's) gets no fence.
func Capabilities(version string) []string {
	all := []string{rpp.CapExec, rpp.CapProvision, rpp.CapReportActivity, rpp.CapReportAttachment}
	m := versionNumber.FindStringSubmatch(strings.TrimSpace(version))
	if m == nil {
		return all
	}
	if major, err := strconv.Atoi(m[1]); err == nil && major >= 3 {
		all = append(all, rpp.CapInputFence)
	}
	return all
}
