package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"golang.org/x/term"
)

// replay draws captures of real dialogs, one after the other, and reacts to keys as the
// agents do: Up and Down move the highlight and wrap around, Enter picks, a digit picks
// at once, Escape exits, and so does an option that says no. Each key and each choice is
// a line of the log. Arguments: LOG LAG FILE...; the highlight follows a key after LAG.
func replay(args []string) int {
	log, err := os.OpenFile(args[0], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return 70
	}
	lag, _ := time.ParseDuration(args[1])
	if _, err := term.MakeRaw(int(os.Stdin.Fd())); err != nil {
		return 71
	}
	for _, file := range args[2:] {
		m := readMenu(file)
		m.draw()
		for picked := false; !picked; {
			buf := make([]byte, 100)
			n, err := os.Stdin.Read(buf)
			if err != nil {
				return 72
			}
			for _, key := range keys.FindAllString(string(buf[:n]), -1) {
				fmt.Fprintf(log, "key %q\n", key)
				time.Sleep(lag)
				choice := ""
				switch key {
				case "\x1b[A", "\x1bOA":
					m.move(-1)
				case "\x1b[B", "\x1bOB":
					m.move(1)
				case "\r":
					choice = m.option(m.at)
				case "\x1b":
					return 1
				default:
					for i := range m.rows {
						if strings.HasPrefix(m.option(i), key+". ") {
							choice = m.option(i)
						}
					}
				}
				if choice != "" {
					fmt.Fprintf(log, "picked %q\n", choice)
					if picked = true; strings.Contains(choice, "No") || strings.Contains(choice, "Don't") {
						fmt.Println("\r\nbye")
						return 1
					}
				}
			}
		}
	}
	select {}
}

var keys = regexp.MustCompile(`\x1b[\[O][A-Z]|(?s:.)`)

// A menu is a capture, and the rows of its options.
type menu struct {
	lines []string
	rows  []int
	at    int // the highlighted one
}

var marked = regexp.MustCompile(`^([ │]*)(❯|●)( .*)$`)

// readMenu finds the highlighted row of a capture, and the options above and below it. A
// capture without one takes no key.
func readMenu(file string) menu {
	data, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	m := menu{lines: strings.Split(strings.TrimRight(string(data), "\n"), "\n")}
	at := len(m.lines) - 1
	for at >= 0 && !marked.MatchString(m.lines[at]) {
		at--
	}
	if at < 0 {
		return m
	}
	from, to := at, at
	for from > 0 && m.text(from-1) != "" {
		from--
	}
	for to+1 < len(m.lines) && m.text(to+1) != "" {
		to++
	}
	for i := from; i <= to; i++ {
		m.rows = append(m.rows, i)
	}
	m.at = at - from
	return m
}

func (m *menu) text(line int) string { return strings.Trim(m.lines[line], " │╰─╯") }

func (m *menu) option(i int) string {
	if i >= len(m.rows) {
		return ""
	}
	return strings.TrimSpace(strings.TrimLeft(m.text(m.rows[i]), "❯●"))
}

func (m *menu) move(by int) {
	if len(m.rows) == 0 {
		return
	}
	old := m.rows[m.at]
	parts := marked.FindStringSubmatch(m.lines[old])
	m.at = (m.at + by + len(m.rows)) % len(m.rows)
	fresh := m.rows[m.at]
	m.lines[old] = strings.Replace(m.lines[old], parts[2], " ", 1)
	row := []rune(m.lines[fresh])
	row[len([]rune(parts[1]))] = []rune(parts[2])[0]
	m.lines[fresh] = string(row)
	m.draw()
}

func (m *menu) draw() {
	fmt.Print("\x1b[H\x1b[2J" + strings.Join(m.lines, "\r\n"))
}

// replayed is the command that replays captures of testdata.
func (r *rig) replayed(lag time.Duration, captures ...string) string {
	r.t.Helper()
	args := []string{r.logPath(), lag.String()}
	for _, c := range captures {
		path, err := filepath.Abs(filepath.Join("testdata", c+".txt"))
		if err != nil {
			r.t.Fatal(err)
		}
		args = append(args, path)
	}
	return r.self("be-dialog", args...)
}

// picked is what the replayed dialogs were answered with, and keys how many were read.
func (r *rig) picked() (options []string, keys int) {
	r.t.Helper()
	data, _ := os.ReadFile(r.logPath())
	for line := range strings.Lines(string(data)) {
		word, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if word == "picked" {
			options = append(options, strings.Trim(value, `"`))
		} else {
			keys++
		}
	}
	return options, keys
}
