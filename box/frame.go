package box

import (
	"bytes"
	"crypto/rand"
	_ "embed"
	"strconv"
	"strings"
)

//go:embed frame.sh
var frameSource string

var frameScript = NewScript("frame", frameSource)

// frame is the pair of marker lines around what one script printed. The nonce is
// fresh for each call, so that no banner, and no screen, can hold it by accident.
type frame struct{ nonce string }

func newFrame() frame { return frame{nonce: "gc-" + rand.Text()} }

// argv is the command that runs the script with its arguments inside the frame.
func (f frame) argv(s Script, args []string) []string {
	return append([]string{"sh", "-c", frameScript.source, "tmux-carrier", f.nonce, s.source}, args...)
}

// parse finds the frame in an exec's output. What stands before and behind it is
// ignored. began tells that the script was started; whole, that its end is there
// as well. Of half a frame the Reply holds what came of the script's output.
func (f frame) parse(output []byte) (r Reply, began, whole bool) {
	// A runtime may have trimmed the output: the frame's first newline is optional.
	out := append([]byte("\n"), output...)
	at := bytes.Index(out, []byte("\n"+f.nonce+" begin"))
	if at < 0 {
		return Reply{}, false, false
	}
	out = out[at+len("\n"+f.nonce+" begin"):]
	if bytes.HasPrefix(out, []byte("\r\n")) { // the exec went through a terminal
		out = bytes.ReplaceAll(out, []byte("\r\n"), []byte("\n"))
	}
	out, ok := bytes.CutPrefix(out, []byte("\n"))
	if !ok {
		return Reply{}, false, false
	}
	r.Output = out

	end := bytes.LastIndex(out, []byte("\n"+f.nonce+" end"))
	status := bytes.LastIndex(out, []byte("\n"+f.nonce+" status "))
	if end < 0 || status < 0 || status > end {
		return r, true, false
	}
	trailer := out[status+len("\n"+f.nonce+" status ") : end]
	code, words, _ := strings.Cut(string(trailer), "\n")
	n, err := strconv.Atoi(code)
	if err != nil {
		return r, true, false
	}
	return Reply{Output: out[:status], Errors: strings.TrimSpace(words), Status: n}, true, true
}
