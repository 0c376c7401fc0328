package rpp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A Handshake is what an executable declares of itself. A version above 0 and
// capabilities that nobody here knows are kept as they are (RPP-6).
type Handshake struct {
	Version      int      `json:"version"`
	Capabilities []string `json:"capabilities"`
}

// Has tells whether the capability is declared.
func (h Handshake) Has(capability string) bool {
	return slices.Contains(h.Capabilities, capability)
}

// handshake keeps the answer. A turn is a channel and not a mutex, so that a
// caller whose context ends does not wait for somebody else's slow handshake.
type handshake struct {
	once sync.Once
	turn chan struct{} // holds one token

	answered bool
	answer   Handshake
	err      error // of an answer that is malformed
}

// Protocol returns the executable's handshake. It is asked once: an answer is
// remembered, a malformed one (an error) and "unknown operation" (version 0
// without capabilities) too. What is no answer is not: a canceled handshake, an
// executable that could not be run, or that failed.
func (p *Provider) Protocol(ctx context.Context) (Handshake, error) {
	h := &p.shake
	h.once.Do(func() {
		h.turn = make(chan struct{}, 1)
		h.turn <- struct{}{}
	})
	select {
	case <-h.turn:
		defer func() { h.turn <- struct{}{} }()
	case <-ctx.Done():
		return Handshake{}, call{op: "protocol"}.failed(ctx.Err(), nil)
	}
	if !h.answered {
		out, err := p.do(ctx, call{op: "protocol"})
		if err != nil && !unknown(err) {
			return Handshake{}, err
		}
		if err == nil {
			h.answer, h.err = parseHandshake(out)
		}
		h.answered = true
	}
	return Handshake{h.answer.Version, slices.Clone(h.answer.Capabilities)}, h.err
}

// Has tells whether the executable declares the capability. Where the handshake
// cannot be had it says no, which makes every caller take the careful way;
// Protocol says why.
func (p *Provider) Has(ctx context.Context, capability string) bool {
	h, err := p.Protocol(ctx)
	return err == nil && h.Has(capability)
}

// Declares is Has for those who must tell "no" from "not to be had now": the error is that
// of an executable that could not answer. A malformed handshake declares nothing.
func (p *Provider) Declares(ctx context.Context, capability string) (bool, error) {
	h, err := p.Protocol(ctx)
	var failed *OpError
	if errors.As(err, &failed) {
		return false, err
	}
	return err == nil && h.Has(capability), nil
}

func parseHandshake(out string) (h Handshake, err error) {
	if strings.TrimSpace(out) == "" {
		return h, nil
	}
	if err := json.Unmarshal([]byte(out), &h); err != nil {
		return Handshake{}, fmt.Errorf("protocol: malformed handshake: %w", err)
	}
	if h.Version < 0 {
		return Handshake{}, fmt.Errorf("protocol: malformed handshake: version %d", h.Version)
	}
	return h, nil
}
