package agent

import (
	"reflect"
	"strings"
	"testing"
)

func text(s string) key  { return key{kind: keyText, text: []byte(s)} }
func paste(s string) key { return key{kind: keyPaste, text: []byte(s)} }
func press(k keyKind) key {
	return key{kind: k}
}

func TestParser(t *testing.T) {
	for _, c := range []struct {
		name  string
		reads []string
		want  []key
	}{
		{"text and Enter", []string{"hi\r"}, []key{text("hi"), press(keyEnter)}},
		{"a tab is text", []string{"a\tb"}, []key{text("a\tb")}},
		{"LF is a newline", []string{"a\nb"}, []key{text("a"), press(keyNewline), text("b")}},
		{"controls", []string{"\x03\x04\x15\x08\x7f\x07"}, []key{
			press(keyInterrupt), press(keyEOF), press(keyKillLine), press(keyBackspace), press(keyBackspace), press(keyOther)}},
		{"arrows", []string{"\x1b[A\x1b[B\x1b[C\x1bOA"}, []key{press(keyUp), press(keyDown), press(keyOther), press(keyUp)}},
		{"Alt+Enter in one read", []string{"\x1b\r"}, []key{press(keyNewline)}},
		{"Alt+Enter in two reads", []string{"\x1b", "\r"}, []key{press(keyNewline)}},
		{"two escapes", []string{"\x1b\x1b"}, []key{press(keyEscape), press(keyEscape)}},
		{"an escape that is cut short", []string{"\x1b"}, []key{press(keyEscape)}},
		{"a sequence that is cut short", []string{"\x1b[1"}, []key{press(keyEscape), text("[1")}},
		{"a sequence cut by a read", []string{"\x1b[1", ";5Hx"}, []key{press(keyOther), text("x")}},
		{"no sequence after all", []string{"\x1b[1\rx"}, []key{press(keyOther), press(keyEnter), text("x")}},
		{"paste", []string{"a\x1b[200~b\r\n\x1bc\x1b[201~d"}, []key{text("a"), paste("b\r\n\x1bc"), text("d")}},
		{"brackets cut by reads", []string{"\x1b[20", "0~b", "c\x1b", "[201", "~\r"}, []key{paste("bc"), press(keyEnter)}},
		{"two pastes", []string{"\x1b[200~a\x1b[201~\x1b[200~\x1b[201~"}, []key{paste("a"), paste("")}},
		{"an end bracket in a paste ends it", []string{"\x1b[200~a\x1b[201~\r\x1b[201~"}, []key{paste("a"), press(keyEnter), press(keyOther)}},
		{"a paste that never ends", []string{"\x1b[200~abc\r"}, nil},
		{"wide and not UTF-8", []string{"世\xff"}, []key{text("世\xff")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var p parser
			var got []key
			for _, r := range c.reads {
				got = append(got, p.feed([]byte(r))...)
			}
			got = append(got, p.flush()...)
			if !reflect.DeepEqual(norm(got), norm(c.want)) {
				t.Errorf("got  %v\nwant %v", got, c.want)
			}
		})
	}
}

// norm joins neighbouring texts: where a read was cut must not matter.
func norm(keys []key) []key {
	var all []key
	for _, k := range keys {
		if n := len(all); n > 0 && k.kind == keyText && all[n-1].kind == keyText {
			all[n-1].text = append(all[n-1].text[:len(all[n-1].text):len(all[n-1].text)], k.text...)
			continue
		}
		if len(k.text) == 0 {
			k.text = nil
		}
		all = append(all, k)
	}
	return all
}

// FuzzParser: where the reads are cut changes nothing, and no byte is made up.
func FuzzParser(f *testing.F) {
	f.Add([]byte("a\x1b[200~b\r\n\x1b[201~\x1b[A\x1b\r\x1b"), uint8(3))
	f.Add([]byte("\x1b[200~\x1b[201\x1b[201~x"), uint8(1))
	f.Add([]byte("\x1bO\x1b[1;2;3\x7f\x1b世"), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, size uint8) {
		var whole, cut parser
		want := append(whole.feed(data), whole.flush()...)
		var got []key
		for rest := data; len(rest) > 0; {
			n := min(int(size)+1, len(rest))
			got = append(got, cut.feed(rest[:n])...)
			rest = rest[n:]
		}
		got = append(got, cut.flush()...)
		if !reflect.DeepEqual(norm(got), norm(want)) {
			t.Fatalf("whole %v\ncut   %v", want, got)
		}
		for _, k := range want {
			if !strings.Contains(string(data), string(k.text)) {
				t.Fatalf("%q is not in the input", k.text)
			}
		}
	})
}

// BenchmarkPaste is 1 MiB in the reads of a pty, 4095 bytes each.
func BenchmarkPaste(b *testing.B) {
	data := []byte(pasteStart + strings.Repeat("x", 1<<20) + pasteEnd)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		var p parser
		for rest := data; len(rest) > 0; {
			n := min(4095, len(rest))
			p.feed(rest[:n])
			rest = rest[n:]
		}
	}
}
