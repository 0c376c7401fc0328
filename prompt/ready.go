package prompt

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/gastownhall/tmux-carrier/box"
)

// ReadyVariable is the variable in the environment of session main that holds the
// session's ready prompt.
const ReadyVariable = "GC_READY_PROMPT_PREFIX"

// ErrReadyPrompt: a ready prompt is one line of UTF-8 without control characters. Two lines
// could forge another variable in a listing.
var ErrReadyPrompt = errors.New("not a ready prompt: it must be one line of text")

var (
	//go:embed ready-store.sh
	storeSource string
	//go:embed ready-read.sh
	readSource string

	storeScript = box.NewScript("store-ready-prompt", storeSource)
	readScript  = box.NewScript("read-ready-prompt", readSource)
)

// StoreReady keeps the session's ready prompt in its box, for processes that did not
// start it. A blank one stores DefaultReadyPrompt. One exec (PRM-1).
func StoreReady(ctx context.Context, door box.Door, session, ready string) error {
	if strings.TrimFunc(ready, space) == "" {
		ready = DefaultReadyPrompt
	}
	if strings.ContainsFunc(ready, unicode.IsControl) || strings.ToValidUTF8(ready, "") != ready {
		return fmt.Errorf("session %q: %w", session, ErrReadyPrompt)
	}
	_, err := door.Run(ctx, session, storeScript, ReadyVariable, tmuxArgument(ready))
	return err
}

// ReadReady gives the ready prompt that the session keeps, with its trailing blanks. known
// is false if it keeps none: the default holds for this check, and the next check
// asks again. One exec.
func ReadReady(ctx context.Context, door box.Door, session string) (ready string, known bool, err error) {
	reply, err := door.Run(ctx, session, readScript, ReadyVariable)
	if err != nil {
		return "", false, err
	}
	line, _, _ := strings.Cut(string(reply.Output), "\n")
	ready, known = ParseReady(line)
	return ready, known, nil
}

// ParseReady reads the line that `tmux -u show-environment -t =main
// GC_READY_PROMPT_PREFIX` prints. An unset variable prints nothing, a removed one
// -NAME.
func ParseReady(line string) (ready string, known bool) {
	ready, known = strings.CutPrefix(line, ReadyVariable+"=")
	if !known || strings.TrimFunc(ready, space) == "" {
		return "", false
	}
	// tmux 3.4 puts a backslash in front of a `$` that a name follows.
	for i := strings.Index(ready, `\$`); i >= 0; {
		if rest := ready[i+2:]; rest != "" && (rest[0] == '_' || rest[0] == '{' || unicode.IsLetter(rune(rest[0]))) {
			ready = ready[:i] + ready[i+1:]
		}
		j := strings.Index(ready[i+1:], `\$`)
		if j < 0 {
			break
		}
		i += 1 + j
	}
	return ready, true
}

// tmuxArgument keeps a `;` at the end of an argument: tmux takes it for the end of the
// command, behind -- too.
func tmuxArgument(s string) string {
	if before, ok := strings.CutSuffix(s, ";"); ok {
		return before + `\;`
	}
	return s
}
