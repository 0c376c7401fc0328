package agent

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// The log is exact for any bytes, and a line that is still being written is
// left out.
func TestLogRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	texts := []string{"", "a;", "<&>\u2028\u2029", "\x00\x1b[201~\x7f", "\xff\xfe 世", "line\nline\t\r\n", `{"base64":"eA=="}`, "\ufffd"}
	t.Setenv("GC_SECRET", "value")
	l, err := openLog(path)
	if err != nil {
		t.Fatal(err)
	}
	l.start()
	var all string
	for _, s := range texts {
		l.read([]byte(s))
		l.submit(s, false)
		all += s
	}
	l.event("interrupt")
	if _, err := l.file.WriteString(`{"event":"cut`); err != nil {
		t.Fatal(err)
	}
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	got, err := ReadLog(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Submitted(), texts) {
		t.Errorf("submitted %q", got.Submitted())
	}
	if string(got.Bytes()) != all {
		t.Errorf("bytes %q", got.Bytes())
	}
	if !reflect.DeepEqual(got.Events(), []string{"start", "interrupt"}) || got.Count("inter") != 1 {
		t.Errorf("events %q", got.Events())
	}
	if got.PID() != os.Getpid() || !slices.Contains(got[0].Env, "GC_SECRET") {
		t.Errorf("start %+v", got[0])
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if err := os.WriteFile(path, []byte("{}\nnot json\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadLog(path); err == nil {
		t.Error("a broken line was taken")
	}
}
