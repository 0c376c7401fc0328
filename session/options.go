package session

import (
	"github.com/gastownhall/tmux-carrier/box"
	"github.com/gastownhall/tmux-carrier/carrier"
	"github.com/gastownhall/tmux-carrier/fence"
	"github.com/gastownhall/tmux-carrier/prompt"
	"github.com/gastownhall/tmux-carrier/rpp"
)

// Options say what to start, and where. Runtime and Name are needed.
type Options struct {
	Runtime *rpp.Provider
	Carrier *carrier.Carrier // over the same runtime; nil: a plain one over Runtime
	Name    string
	Config  rpp.StartConfig

	// Token names the new incarnation. "" derives it from the identity in
	// Config.Env (ID.Token), and is random where there is none.
	Token fence.Token

	// Dialogs says whether startup dialogs are answered; the zero value lets the
	// start config decide. BypassDialog says that the agent's provider declares a
	// bypass-permissions dialog, which is no part of the start config.
	Dialogs      DialogPolicy
	BypassDialog bool

	// Warn is told at once of what did not fail the start; nil: only the Result
	// tells.
	Warn func(string)
}

// DialogPolicy says whether a start answers known startup dialogs (SES-3).
type DialogPolicy uint8

// The policies.
const (
	DialogsDeclared DialogPolicy = iota // if process_names or a bypass dialog is declared
	DialogsAnswer                       // always
	DialogsLeave                        // never
)

// Result is a session that was started.
type Result struct {
	Session string      `json:"session"`
	Token   fence.Token `json:"token"` // the fence on the pane; "": none (no input-fence, or a one_shot that has ended)
	Pane    string      `json:"pane"`  // %N; "": not known, since nothing was asked of the box
	PID     int         `json:"pid"`   // the pane's root process; 0: not known

	Warnings []string `json:"-"` // what failed without failing the start
}

// DialogReport is one dialog that was met.
type DialogReport struct {
	Session string        `json:"session"`
	Agent   string        `json:"agent"`
	Dialog  string        `json:"dialog"`
	Answer  string        `json:"answer"`  // the option that we pick; "": not a dialog that we answer
	Outcome DialogOutcome `json:"outcome"` //
}

// DialogOutcome is what became of a dialog.
type DialogOutcome string

// The outcomes.
const (
	DialogLeft     DialogOutcome = "left"     // on the screen: not known, or not to be answered
	DialogAnswered DialogOutcome = "answered" // gone: by our answer, or by somebody else's
	DialogStuck    DialogOutcome = "stuck"    // still on the screen though we answered
)

// carrier is the caller's, or a plain one.
func (o *Options) carrier() *carrier.Carrier {
	if o.Carrier == nil {
		o.Carrier = &carrier.Carrier{Conn: o.Runtime}
	}
	return o.Carrier
}

func (o *Options) door() box.Door { return o.carrier().Door() }

func (o *Options) classify() prompt.Options {
	return prompt.Options{ReadyPrompt: o.Config.ReadyPromptPrefix}
}

// oneShot: an agent that has ended is a success (SES-6).
func (o *Options) oneShot() bool { return o.Config.Lifecycle == rpp.LifecycleOneShot }

// answersDialogs applies the policy.
func (o *Options) answersDialogs() bool {
	switch o.Dialogs {
	case DialogsAnswer:
		return true
	case DialogsLeave:
		return false
	}
	return len(o.Config.ProcessNames) > 0 || o.BypassDialog
}
