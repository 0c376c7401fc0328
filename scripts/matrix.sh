#!/bin/sh
# Runs the tests that talk to tmux inside box images, each with its own tmux: a
# package's test binary is built once, without cgo, and runs unchanged in each box.
#
#   scripts/matrix.sh [-run PATTERN] SUITE...
#
# It talks to the engine that docker talks to; run it under with-engine. A suite whose
# image is missing is built. Ends non-zero if a test failed, or nothing could be run.
set -eu
cd "$(dirname -- "$0")/.."
pattern=.
if [ "${1-}" = -run ]; then
	pattern=$2
	shift 2
fi
[ $# -gt 0 ] || { echo 'usage: matrix.sh [-run PATTERN] SUITE...' >&2; exit 64; }
docker version >/dev/null 2>&1 || {
	echo 'matrix: skipped: no container engine answers; install docker.io (Debian) or start yours' >&2
	exit 69
}

packages='box fence nudge carrier prompt idle session'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
for package in $packages; do
	CGO_ENABLED=0 go test -c -o "$work/$package.test" "./$package"
done
chmod 755 "$work" "$work"/*

# inside runs one package's tests in a box. The package's directory is where its test
# data lies.
inside() {
	docker run --rm --init --network none -v "$work:/tests:ro" -v "$PWD:/src:ro" -w "/src/$1" \
		-e LC_ALL=C -e HOME=/tmp --entrypoint "/tests/$1.test" "$image" \
		-test.short -test.run "$pattern" -test.timeout 10m >"$work/$1.out" 2>&1 || echo failed >"$work/$1.failed"
}

failed=0
for suite; do
	image=tmux-carrier-box:$suite
	docker image inspect "$image" >/dev/null 2>&1 || docker/tmux-box/build.sh "$suite"
	version=$(docker run --rm --network none --entrypoint tmux "$image" -V)
	rm -f "$work"/*.failed
	# Side by side: they wait more than they work.
	for package in $packages; do
		inside "$package" &
	done
	wait
	for package in $packages; do
		if [ -e "$work/$package.failed" ]; then
			printf 'FAIL  %s (%s) %s\n' "$suite" "$version" "$package"
			cat "$work/$package.out"
			failed=1
		else
			printf 'ok    %s (%s) %s\n' "$suite" "$version" "$package"
		fi
	done
done
exit "$failed"
