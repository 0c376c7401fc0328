package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gastownhall/tmux-carrier/carrier"
	"github.com/gastownhall/tmux-carrier/rpp"
)

// provider is the runtime that --runtime names, else GC_SESSION, else the local one.
func (p *program) provider() (*rpp.Provider, error) {
	switch spec := p.runtimeName(); {
	case spec == "local":
		return own("gc-session-tmux")
	case spec == "docker":
		return own("gc-session-docker")
	case spec == "ssh", spec == "kubernetes":
		return nil, usagef("--runtime %s: not shipped yet; an executable of your own is exec:PATH", spec)
	case strings.HasPrefix(spec, "exec:"):
		return rpp.New(spec)
	default:
		return nil, usagef("--runtime %q is none of local, docker, exec:PATH", spec)
	}
}

func (p *program) runtimeName() string {
	switch {
	case p.runtime != "":
		return p.runtime
	case os.Getenv("GC_SESSION") != "":
		return os.Getenv("GC_SESSION")
	default:
		return "local"
	}
}

// own is a runtime that this program is itself.
func own(name string) (*rpp.Provider, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("the embedded runtime: %w", err)
	}
	return &rpp.Provider{Command: []string{self, name}}, nil
}

// carrier drives the boxes of the runtime.
func (p *program) carrier() (*carrier.Carrier, error) {
	runtime, err := p.provider()
	if err != nil {
		return nil, err
	}
	return &carrier.Carrier{Conn: &counted{runtime, &p.execs}}, nil
}

// counted knows which execs are under way. An idle check does not wait for one that
// hangs; the program does, since the runtime is killed by who started it.
type counted struct {
	*rpp.Provider
	execs *sync.WaitGroup
}

func (c *counted) Exec(ctx context.Context, session string, argv []string) (output []byte, code int, err error) {
	c.execs.Add(1)
	defer c.execs.Done()
	return c.Provider.Exec(ctx, session, argv)
}

// settle waits for execs whose time is up: to kill one takes a moment.
func (p *program) settle() {
	ended := make(chan struct{})
	go func() {
		p.execs.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(time.Second):
	}
}

// session is one session of the runtime; agent names its data, "" leaves it to what
// tmux shows.
func (p *program) session(name, agent string) (*carrier.Session, error) {
	c, err := p.carrier()
	if err != nil {
		return nil, err
	}
	s := c.Session(name)
	s.Agent = agent
	return s, nil
}

// names completes a session's name.
func (p *program) names(ctx context.Context, prefix string) []string {
	runtime, err := p.provider()
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	names, _ := runtime.ListRunning(ctx, prefix)
	return names
}

// withImage is the environment in which the docker runtime makes boxes of the image.
func withImage(image string) []string {
	return append(os.Environ(), "GC_SESSION_DOCKER_IMAGE="+image)
}

// unsupported is the error for an operation that the runtime does not have.
func unsupported(operation string) error {
	return fmt.Errorf("%w: %s", errUnsupported, operation)
}
