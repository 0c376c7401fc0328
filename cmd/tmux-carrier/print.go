package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// print prints an answer: v as one line of JSON, or text for people.
func (p *program) print(v any, text string) {
	switch {
	case p.json:
		printJSON(p.out, v)
	case text != "":
		fmt.Fprintln(p.out, strings.TrimSuffix(text, "\n"))
	}
}

// warn tells of what failed without failing the verb.
func (p *program) warn(message string) {
	if p.json {
		printJSON(p.err, map[string]any{"warning": map[string]string{"message": message}})
		return
	}
	fmt.Fprintf(p.err, "warning: %s\n", printable(message))
}

// printJSON leaves <, > and & as they are: nobody puts this into HTML.
func printJSON(w io.Writer, v any) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // only strings, numbers and times are printed
	}
	_, _ = w.Write(b.Bytes())
}

// printable takes control characters out of what goes to a terminal: names and what
// a box said come from others.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}
