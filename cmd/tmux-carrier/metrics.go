package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// served are metrics that are served at addr until stop.
type served struct {
	addr net.Addr // nil: nowhere
	stop func()
}

// serveMetrics serves what write writes. An address without a host is of
// this machine only: session counts are nobody else's business unless somebody says so.
func serveMetrics(addr string, write func(io.Writer) error) (served, error) {
	if addr == "" {
		return served{stop: func() {}}, nil
	}
	if !strings.Contains(addr, ":") {
		addr = ":" + addr
	}
	if strings.HasPrefix(addr, ":") {
		addr = "127.0.0.1" + addr
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return served{}, usagef("--metrics: %v", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = b.WriteTo(w)
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(listener) }()
	return served{listener.Addr(), func() { _ = server.Close() }}, nil
}
