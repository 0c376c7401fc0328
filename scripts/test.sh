#!/bin/sh
# All tests, with the race detector, also those in containers where there can be an
# engine; at the end, which were skipped and why. MATRIX=all takes the tmux of every
# Debian suite and not of two.
set -eu
cd "$(dirname -- "$0")/.."

# sweep ends what tests left behind, when they were killed half way, say, and tells it:
# all that they start has their TMPDIR in its environment.
sweep() {
	for process in /proc/[0-9]*; do
		if grep -qs "TMPDIR=$tmp" "$process/environ"; then
			echo "left behind: $(tr '\0' ' ' <"$process/cmdline" | cut -c 1-120)"
			kill -9 "${process#/proc/}" 2>/dev/null || :
			left=yes
		fi
	done
	rm -rf "$tmp"
}

# with-engine runs this a second time, inside.
if [ "${1-}" = inside ]; then
	failed=''
	suites='bookworm trixie'
	[ "${MATRIX-}" != all ] || suites='bullseye bookworm trixie sid'
	engine=''
	if docker version >/dev/null 2>&1; then
		engine=yes
		for suite in $suites; do
			docker image inspect "tmux-carrier-box:$suite" >/dev/null 2>&1 ||
				docker/tmux-box/build.sh "$suite" || failed="$failed box-$suite"
		done
	fi
	go vet ./... || failed="$failed vet"
	tmp=$(mktemp -d /tmp/tc.XXXXXX) # short: sockets lie in it
	left=''
	trap sweep EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	# Most of them wait more than they work: four at once for two cores. The scenarios in
	# containers run behind them and without the race detector, under which the program
	# takes long to start: the same code runs with it in the local ones.
	boxes='TestScripts/(bullseye|bookworm|trixie|sid)'
	TMPDIR=$tmp bin/report go test -race -parallel 4 -skip "$boxes" -timeout 14m -json ./... || failed="$failed tests"
	TMPDIR=$tmp bin/report go test -parallel 4 -run "$boxes" -timeout 14m -json ./cmd/tmux-carrier || failed="$failed scenarios"
	go test ./prompt -run '^$' -fuzz FuzzClassify -fuzztime 60s -fuzzminimizetime 1x >"$tmp.fuzz" 2>&1 ||
		{ cat "$tmp.fuzz"; failed="$failed fuzz"; }
	rm -f "$tmp.fuzz"
	trap - EXIT
	sweep
	[ -z "$left" ] || failed="$failed leftovers"
	if [ -n "$engine" ]; then
		# This machine's tmux has been tested; the other boxes have others.
		for suite in $suites; do
			[ "$suite" = bookworm ] && [ "${MATRIX-}" != all ] && continue
			scripts/matrix.sh "$suite" || failed="$failed matrix-$suite"
		done
	fi
	[ -z "$failed" ] || { echo "FAILED:$failed"; exit 1; }
	echo 'all passed'
	exit
fi

scripts/setup.sh tmux
scripts/setup.sh engine
go build -o bin/ ./internal/engine/cmd/with-engine ./scripts/report
exec bin/with-engine "$0" inside
