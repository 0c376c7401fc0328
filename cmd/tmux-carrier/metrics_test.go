package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// SLP-3: metrics are served to this machine only, unless somebody names another host,
// and to nobody after the end.
func TestServeMetrics(t *testing.T) {
	write := func(w io.Writer) error {
		_, err := io.WriteString(w, "sessions 1\n")
		return err
	}
	for _, addr := range []string{"0", ":0", "127.0.0.1:0", "[::]:0"} {
		m, err := serveMetrics(addr, write)
		if err != nil {
			t.Errorf("%s: %v", addr, err)
			continue
		}
		at := m.addr.String()
		if local := strings.HasPrefix(at, "127.0.0.1:"); local != (addr != "[::]:0") {
			t.Errorf("%s listens at %s", addr, at)
		}
		url := "http://" + strings.Replace(at, "[::]", "127.0.0.1", 1)
		if code, text := get(t, url+"/metrics"); code != http.StatusOK || text != "sessions 1\n" {
			t.Errorf("%s: %d %q", addr, code, text)
		}
		if code, _ := get(t, url+"/"); code != http.StatusNotFound {
			t.Errorf("%s: /: %d", addr, code)
		}
		m.stop()
		if r, err := http.Get(url + "/metrics"); err == nil {
			r.Body.Close()
			t.Errorf("%s: it goes on", addr)
		}
	}
	if m, err := serveMetrics("", write); err != nil || m.addr != nil {
		t.Errorf("no address: %v, %v", m.addr, err)
	}
	if _, err := serveMetrics("nonsense:x", write); err == nil {
		t.Error("nonsense is served")
	}
}

func get(t *testing.T, url string) (code int, text string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	all, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(all)
}
