package nudge

import "github.com/gastownhall/tmux-carrier/prompt"

func dialogFormat() string { return "" }

func composerFormat() string { return "#{?#{C/r:^❯[ \u00a0]*$},empty,#{?#{C/r:^❯},text,}}" }

func agentFormat() string { return "" }

// confirmed reads what the screen shows after Enter.
func confirmed(o prompt.Observation, text, agent string, taken bool) (Confirmed, string) {
	v := prompt.Classify(o, prompt.Options{Agent: agent})
	if v.Kind == prompt.Draft {
		return Drafted, v.Sign
	}
	return Unconfirmed, ""
}
