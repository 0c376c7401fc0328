package nudge

import "github.com/gastownhall/tmux-carrier/prompt"

// composerFormat expands to what stands in the composer: "empty" (or a message waits in
// the queue), "text", or nothing where that cannot be told: OpenCode's empty composer
// and Amp's have no sign that a search of rows could find.
var composerFormat = "#{?" + prompt.SettledFormat("") + ",empty," +
	"#{?#{m/r:^(claude|codex|gemini|qwen|copilot|cline)$," + prompt.AgentFormat() + "},text,#{?#{C/r:^❯},text,}}}"

// insideFormat is what the script looks at before it types and between its steps.
var insideFormat = composerFormat + "/" + prompt.QuotedFormat()

// confirmed reads what the screen shows after Enter. untaken: the composer stayed
// empty until then, so that an empty one proves nothing.
func confirmed(o prompt.Observation, text, agent string, untaken bool) (Confirmed, string) {
	outcome, sign := prompt.Confirm(o, text, prompt.Options{Agent: agent})
	if outcome == prompt.Accepted && untaken {
		return Unconfirmed, "the text was not seen in the composer"
	}
	switch outcome {
	case prompt.Accepted:
		return Accepted, sign
	case prompt.Queued:
		return Queued, sign
	case prompt.Drafted:
		return Drafted, sign
	default:
		return Unconfirmed, sign
	}
}
