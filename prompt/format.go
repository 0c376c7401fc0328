package prompt

import (
	"regexp"
	"slices"
	"strings"
)

// EscapeFormat makes a POSIX extended regular expression safe to stand in a tmux format,
// as in `#{C/r:REGEX}`: a comma, a closing brace and a `#` would end or change it.
// A `#` is given as a bracket, for tmux takes `#[` and `#{` for its own even when
// the `#` is doubled.
func EscapeFormat(regex string) string {
	if !strings.ContainsAny(regex, "#,}") {
		return regex
	}
	var b strings.Builder
	bracket := 0 // bytes of a bracket expression that were seen; 0 is outside of one
	for i := 0; i < len(regex); i++ {
		c := regex[i]
		switch {
		case c == ',':
			b.WriteString("#,")
		case c == '}':
			b.WriteString("#}")
		case c == '#' && bracket == 0:
			b.WriteString("[##]")
		case c == '#':
			b.WriteString("##")
		default:
			b.WriteByte(c)
		}
		switch {
		case bracket == 0 && c == '\\' && i+1 < len(regex):
			i++
			b.WriteString(EscapeFormat(regex[i : i+1]))
		case bracket == 0 && c == '[':
			bracket = 1
		case bracket == 1 && c == '^', bracket > 0 && c != ']', bracket == 1 && c == ']':
			bracket++
		case bracket > 0:
			bracket = 0
		}
	}
	return b.String()
}

// search is a condition that the visible screen has a row that matches.
func search(regex string) string { return "#{C/r:" + EscapeFormat(regex) + "}" }

// when expands to then if the condition does not expand to nothing or 0.
func when(condition, then, otherwise string) string {
	return "#{?" + condition + "," + then + "," + otherwise + "}"
}

// titled is a condition that the title matches the regex.
func titled(regex string) string {
	return "#{m/r:" + EscapeFormat(regex) + ",#{pane_title}}"
}

// posix quotes a text for a POSIX extended regular expression without a backslash: those
// of a format pass through too many quotes.
func posix(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '^':
			b.WriteString(`\^`) // a bracket cannot begin with it
		case strings.ContainsRune(`.[]$()*+?{}|\`, r):
			b.WriteString("[" + string(r) + "]")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// nbsp follows Claude Code's prompt.
const nbsp = "\u00a0"

// menu is a group of dialogs that one search of the screen finds, by one of its signs, and
// the row of the composer that takes the finding back: an answer may quote a menu.
type menu struct {
	signs []string
	veto  string
}

// menus are the dialogs of all agents. The signs are anchored to what a whole row looks
// like; tmux trims the blanks at a row's end before it looks.
var menus = []menu{
	{ // Claude Code. At the margin stand messages too, and many are numbered lists.
		[]string{
			`^(│| )+❯ [0-9]+[.] `, `^❯ [0-9]+[.] (Yes|No)`, `^ *Enter to (confirm|select)( ·|$)`,
			`^ *([^ ].* · )?Esc to (cancel|close|exit|go back)( · .*)?$`, `^ *Press Enter to (continue|retry)`,
		},
		`^[>❯!]` + nbsp + `|` + plainEmpty,
	},
	{ // Codex
		[]string{`^ *› [0-9]+[.] `, `^ *Press enter to confirm or esc`, `^ *enter select · esc`, `^ *Press esc to cancel$`, `^ *.* [|] enter to submit`},
		`^  [^ ]+ [^ ]+ · [/~]`,
	},
	{ // Gemini, Qwen
		[]string{`^ ?│ +● +[0-9]+[.] `, `^ ?│ +[(]?(Use Enter to |Enter to select|Press Esc to close)`},
		`^ workspace [(]/directory|^│ [>*] +Type your message`,
	},
	{ // OpenCode, Copilot, Cline, Amp; and Codex's search, which stands below its composer
		[]string{
			`^ *┃ +(Allow once +Allow always|.* enter confirm$|.* esc dismiss$)`, `[^ ]     *esc$`, `Tip Run /connect to add`,
			`^│.* enter to select · esc to cancel`,
			`^ *[[]y[]] Approve  `, `^ Cline is asking a question$`, `Press Enter to open, any other key`, `(select|cancel), Ctrl.C to exit$`,
			`^Would you like to log in to Amp[?]`, `^  .* · esc cancel( |$)`,
		},
		``,
	},
}

// plainEmpty is the row of an empty composer whose prompt is followed by a plain blank.
const plainEmpty = `^❯$`

// subjects name what the menu is about, as topics do.
var subjects = []struct{ regex, name string }{
	{`Bypass Permissions mode`, "bypass"},
	{`[Tt]rust (this|the files|folder)|you trust`, "trust"},
	{`[Ss]ign in|log in to|uthentic|Run /connect`, "login"},
	{`Do you want to|Would you like to (run|make)|Allow execution|Allow once|Apply this change|Approve tool call`, "permission"},
}

// DialogFormat gives a tmux format that expands to the dialog that a pane shows, for any
// of the known agents ("permission", "trust", "bypass", "login", or "menu"), and to nothing if it
// shows none (NUD-8). The server looks at the visible screen and the title itself,
// so that a condition can be one step with the keys that it guards.
//
// It holds none of ' " ; % \ ` and no newline; it holds $ { } # | ( ) [ ] and letters of
// Unicode. It nests six deep, of the nine levels that tmux 3.0 and 3.1 have. A
// search that does not compile finds nothing, so it fails open: every one is
// tested on a real tmux.
//
// Not seen are dialogs on a screen that is still blank.
func DialogFormat() string { return dialogFormat }

var dialogFormat = dialogs(func(string) bool { return false })

// QuotedFormat gives a tmux format that expands to 1 when the screen shows a menu of the
// first group and, below it, an empty composer with a plain prompt: the menu is quoted
// in the transcript. As soon as text stands in such a composer, no row tells that any
// more, as NBSP does in Claude Code's.
func QuotedFormat() string {
	m := menus[0]
	return when(search(plainEmpty), when(search(`^[>❯!]`+nbsp), "", when(search(strings.Join(m.signs, "|")), "1", "")), "")
}

// DialogFormatBehind is DialogFormat for a screen on which the text stands in the
// composer: signs that the text itself shows, a menu in it, are left out; and those of
// the first group if they were seen to be quoted before (QuotedFormat).
func DialogFormatBehind(text string, quoted bool) string {
	const enough = 16 << 10 // of either end: no composer shows more
	if len(text) > 2*enough {
		text = text[:enough] + "\n" + text[len(text)-enough:]
	}
	var rows strings.Builder
	for row := range strings.Lines(text) {
		row = strings.TrimRight(row, " \n")
		for _, in := range []string{"", "❯ ", " ❯ ", "› ", "│ > ", " │ ", "┃ "} { // as a composer may show it
			rows.WriteString(in + row + "\n")
		}
	}
	shown := rows.String()
	return dialogs(func(sign string) bool {
		if quoted && slices.Contains(menus[0].signs, sign) {
			return true
		}
		// A composer wraps its rows anywhere: the sign counts wherever it stands.
		return regexp.MustCompile(strings.TrimSuffix(strings.TrimPrefix(sign, "^"), "$")).MatchString(shown)
	})
}

// dialogs is the format for all signs but those that are left out.
func dialogs(leaveOut func(sign string) bool) string {
	var shown strings.Builder
	for _, m := range menus {
		signs := slices.DeleteFunc(slices.Clone(m.signs), leaveOut)
		if len(signs) == 0 {
			continue
		}
		then := "1"
		if m.veto != "" {
			then = when(search(m.veto), "", "1")
		}
		shown.WriteString(when(search(strings.Join(signs, "|")), then, ""))
	}
	shown.WriteString(when(titled("Action Required"), "1", ""))
	name := "menu"
	for i := len(subjects) - 1; i >= 0; i-- {
		name = when(search(subjects[i].regex), subjects[i].name, name)
	}
	return when(shown.String(), name, "")
}

// SettledFormat gives a tmux format that expands to 1 when the screen shows that a message
// was taken: an empty composer, with the session's ready prompt or any known agent's, or
// a sign that it waits its turn. To be asked right after Enter, until it is 1 or the
// time is up; Confirm then reads what happened. Signs of work do not count where the
// composer shows more: they stand there from the turn before.
//
// It holds the same characters as DialogFormat, and those of the ready prompt.
func SettledFormat(ready string) string {
	empty := `^[>❯]` + nbsp + `?$|^[>❯]` + nbsp + `(Try |Press up to)|^› Ask Codex|^ *(│ )?[>*!] +Type your (message|shell)` +
		`|^ *┃ +(Ask anything|Run a command)|^ *[■⬝]+ |esc interrupt|^ *❯ (Ask anything|What can I do)` +
		`|⎿  Queued|^ *┃ +QUEUED$|└ [[]pending|^ *│? *Queued [(m]|^• Queued`
	if ready = fold(ready); ready != "" && ready != "❯" {
		empty += `|^(│| )*` + strings.ReplaceAll(posix(ready), " ", "[ "+nbsp+"]") + nbsp + `?( *│)?$`
	}
	return when(search(empty), "1", "")
}

// AgentFormat gives a tmux format that expands to the name of the profile that a pane
// shows, by command, title and screen in this order, and to nothing if it is none: to
// choose an agent's keys in the server.
//
// Programs that run on node say "node" there (Codex, Gemini, Copilot and Qwen do),
// so the title and the screen must tell those.
func AgentFormat() string { return agentFormat }

// looks are the searches of the title and of the screen that name an agent.
var looks = []struct {
	profile       *Profile
	title, screen string
}{
	{&claude, `^✳ |Claude Code$`, `^[>❯]` + nbsp},
	{&codex, `[]] Action Required [|] `, `^› `},
	{&gemini, `^(◇|✦|✋)  `, `^ workspace [(]/directory`},
	{&qwen, `^Qwen - `, `no sandbox [(]see /docs`},
	{&opencode, `^(OpenCode$|OC [|] )`, `^ *╹▀▀▀`},
	{&copilot, `GitHub Copilot$`, ` esc esc |· / commands · [?] help`},
	{&cline, `^Cline$`, `○ Plan ● Act|● Plan ○ Act`},
}

var agentFormat = func() string {
	var names []string
	for _, p := range profiles {
		names = append(names, p.Name)
	}
	title, screen := "", ""
	for _, l := range looks {
		title += when(titled(l.title), l.profile.Name, "")
		screen += when(search(l.screen), l.profile.Name, "")
	}
	command := "#{m/r:^(" + strings.Join(names, "|") + ")$,#{pane_current_command}}"
	return when(command, "#{pane_current_command}", when(title, title, screen))
}()
