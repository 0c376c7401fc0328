#!/bin/sh
# Linters, shellcheck, and known vulnerabilities. What cannot be fetched or is not
# installed is named, and does not fail the run; what it finds does.
set -eu
cd "$(dirname -- "$0")/.."
golangci=github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
govulncheck=golang.org/x/vuln/cmd/govulncheck@v1.9.0

failed=''
skip() { echo "lint: skipped: $*" >&2; }

go vet ./... || failed="$failed vet"

if go run "$golangci" version >/dev/null 2>&1; then
	go run "$golangci" run ./... || failed="$failed golangci-lint"
else
	skip "golangci-lint cannot be built here (go run $golangci)"
fi

if command -v shellcheck >/dev/null; then
	# The scripts for a box share variables with the functions that stand in front of
	# them (SC2034, SC2154).
	git ls-files -z '*.sh' | xargs -0 shellcheck -S warning -s sh -e SC2034,SC2154 || failed="$failed shellcheck"
	shellcheck .ci/run || failed="$failed shellcheck"
else
	skip 'shellcheck is not installed'
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if go run "$govulncheck" ./... >"$log" 2>&1; then
	cat "$log"
elif grep -q 'fetching vulnerabilities\|module lookup disabled\|dial tcp' "$log"; then
	skip "govulncheck, or its database, cannot be reached"
else
	cat "$log"
	failed="$failed govulncheck"
fi

[ -z "$failed" ] || { echo "FAILED:$failed"; exit 1; }
