package nudge

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gastownhall/tmux-carrier/box"
)

// put brings the text into a private file in the box, in parts that each fit a
// command line, and returns the file's name. Its name is new for each try, so that
// no two calls write to one file.
func (d *delivery) put(ctx context.Context) (file string, err error) {
	name := newTicket() + newTicket()
	for offset := 0; offset < len(d.text); {
		part := nextPart(d.text[offset:])
		d.receipt.Execs++
		reply, err := d.door.Run(ctx, d.receipt.Session, putScript, name, strconv.Itoa(offset), part)
		if err != nil {
			return "", err
		}
		offset += len(part)
		size, path, ok := strings.Cut(strings.TrimSuffix(string(reply.Output), "\n"), " ")
		if !ok || size != strconv.Itoa(offset) {
			return "", d.door.Outage(ctx, d.receipt.Session, fmt.Sprintf("nudge: %q of %d bytes came into the box", size, offset))
		}
		file = path
	}
	return file, nil
}

// nextPart is the longest beginning of text that fits a command line, cut between
// two characters.
func nextPart(text string) string {
	const room = 2 << 10 // for the script and the frame around it
	cost, end := 0, 0
	for end < len(text) {
		_, n := utf8.DecodeRuneInString(text[end:])
		c := n
		if text[end] == '\'' {
			c = len(`'"'"'`)
		}
		if cost+c > box.MaxCommand-room {
			break
		}
		cost, end = cost+c, end+n
	}
	return text[:end]
}
