# What needs setting up, each target sets up itself; NO_SETUP=1 installs nothing.
.PHONY: help demo test lint bench race tmux-box build clean

help:
	@echo 'make demo      a guided run of everything on an agent of our own, in a minute'
	@echo 'make test      all tests; MATRIX=all takes every tmux that Debian ships'
	@echo 'make lint      linters, shellcheck, known vulnerabilities'
	@echo 'make bench     benchmarks'
	@echo 'make race      the long runs of races and faults: hours'
	@echo 'make tmux-box  images of boxes, one for each SUITE (default bookworm)'
	@echo 'make build     the program and the runtimes, in bin/'

demo:
	@scripts/setup.sh tmux
	@go build -o bin/ ./cmd/tmux-carrier
	@bin/tmux-carrier demo

test:
	@MATRIX='$(MATRIX)' scripts/test.sh

lint:
	@scripts/lint.sh

bench:
	@scripts/setup.sh tmux
	@go test -run '^$$' -bench . -benchmem ./...

race:
	@scripts/setup.sh tmux
	TMUX_CARRIER_RACES=10000 TMUX_CARRIER_FAULTS=10000 TMUX_CARRIER_SENDERS=2000 TMUX_CARRIER_KILLS=200 \
		SLEEP_KILLS=100 LIVE_KILLS=100 LIVE_SESSIONS=20 GORACE=atexit_sleep_ms=0 \
		go test -race -v -timeout 24h -run 'Race|Fault|Sender|Kill|States' ./nudge ./session ./sleep ./sleep/live

tmux-box:
	@scripts/setup.sh engine
	@go run ./internal/engine/cmd/with-engine -require docker/tmux-box/build.sh $(SUITE)

build:
	@go build -o bin/ ./cmd/...

clean:
	@rm -rf bin
