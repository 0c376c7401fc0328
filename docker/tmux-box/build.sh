#!/bin/sh
# Builds the images tmux-carrier-box:SUITE, one for each Debian suite named
# (default: bookworm). What sets them apart is tmux: bullseye has 3.1c,
# bookworm 3.3a, trixie 3.5a, sid 3.8 (in November 2026).
#
#   docker/tmux-box/build.sh [-f] [SUITE...]
#
# The base is debian:SUITE-slim where it can be pulled within 15 seconds, else
# it is made from Debian packages by mmdebstrap (half a minute) and kept as the
# image tmux-carrier-base:SUITE and as a tarball in
# ${XDG_CACHE_HOME:-$HOME/.cache}/tmux-carrier. -f makes the base anew.
#
# It talks to the engine that docker talks to. Without one, run it as
# "with-engine docker/tmux-box/build.sh".
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname -- "$(dirname -- "$here")")
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tmux-carrier

say() { printf 'tmux-box: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# quietly runs a command, and shows what it printed only if it fails.
quietly() {
	"$@" >"$work/log" 2>&1 && return
	code=$?
	tail -n 20 "$work/log" >&2
	return "$code"
}

# mirror prints where this machine's apt takes Debian from.
mirror() {
	# shellcheck disable=SC2016 # apt's words, not the shell's
	{ apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null || :; } |
		sed -n 's,/*$,,; /\/debian$/{p;q;}'
}

# bootstrap SUITE makes the tarball of a base that has tmux in it already: a
# build may have no network.
bootstrap() {
	command -v mmdebstrap >/dev/null ||
		die "debian:$1-slim cannot be pulled; install mmdebstrap to make a base instead"
	from=$(mirror)
	from=${from:-http://deb.debian.org/debian}
	say "$1: making a base from $from"
	# An archived suite's Release file has expired.
	quietly mmdebstrap --variant=essential --include=tmux,passwd \
		--aptopt='Acquire::Check-Valid-Until false' \
		--dpkgopt='path-exclude=/usr/share/man/*' \
		--dpkgopt='path-exclude=/usr/share/doc/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		"$1" "$work/base.tar.gz" "$from" || die "$1: mmdebstrap failed"
	mkdir -p "$cache"
	mv "$work/base.tar.gz" "$cache/base-$1.tar.gz"
}

# base SUITE sets $base.
base() {
	base=tmux-carrier-base:$1
	if [ -z "$force" ] && docker image inspect "$base" >/dev/null 2>&1; then
		return
	fi
	if [ -n "$force" ] || [ ! -f "$cache/base-$1.tar.gz" ]; then
		if [ -z "$pulls" ] && quietly timeout 15 docker pull -q "debian:$1-slim" 2>/dev/null; then
			base=debian:$1-slim
			return
		fi
		pulls=no # one refusal is enough: do not wait for every suite
		bootstrap "$1"
	fi
	quietly docker import "$cache/base-$1.tar.gz" "$base"
}

build() {
	quietly docker build --build-arg "BASE=$base" -t "tmux-carrier-box:$1" "$work/context" || return
	quietly docker image prune -f --filter label=tmux-carrier-box # the box that this one replaces
}

force=
pulls=
if [ "${1-}" = -f ]; then
	force=yes
	shift
fi
[ $# -gt 0 ] || set -- bookworm
docker version >/dev/null 2>&1 || die 'no container engine answers (see with-engine)'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$work/context"
cp "$here/Dockerfile" "$work/context/"
(cd "$root" && CGO_ENABLED=0 go build -trimpath -o "$work/context/demo-agent" ./internal/agent/cmd/demo-agent)

for suite; do
	case $suite in
	-* | *[!a-z]*) die "no such suite: $suite" ;;
	esac
	base "$suite"
	if ! build "$suite"; then
		# A pulled base needs a network in the build, which a private engine has not.
		[ "$base" = "debian:$suite-slim" ] || exit 1
		bootstrap "$suite"
		base=tmux-carrier-base:$suite
		quietly docker import "$cache/base-$suite.tar.gz" "$base"
		build "$suite"
	fi
	say "tmux-carrier-box:$suite: $(docker run --rm --network none "tmux-carrier-box:$suite" tmux -V), base $base"
done
