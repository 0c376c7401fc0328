#!/bin/sh
# Sets up what the demo and the tests need beside Go, or says in a line how to get it.
#
#   scripts/setup.sh tmux     ends non-zero where there is none
#   scripts/setup.sh engine   for the tests in containers; without, those are skipped
#
# It installs with the system's package manager as root, tmux also by a sudo that asks
# nothing; with NO_SETUP set it installs nothing.
set -eu

say() { printf 'setup: %s\n' "$*" >&2; }

# as_root runs a command as root; it fails where that would ask for a password.
as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
		sudo -n "$@"
	else
		return 1
	fi
}

# quietly shows what a command printed only if it failed.
quietly() {
	log=$(mktemp)
	code=0
	"$@" >"$log" 2>&1 || code=$?
	[ "$code" = 0 ] || tail -n 5 "$log" >&2
	rm -f "$log"
	return "$code"
}

apt_install() {
	as_root true || return
	say "apt-get install $*"
	set -- env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
	as_root "$@" >/dev/null 2>&1 && return
	quietly as_root apt-get update -q && quietly as_root "$@"
}

have() { command -v "$1" >/dev/null; }

install_tmux() {
	if have apt-get; then
		apt_install tmux
	elif have dnf; then
		say 'dnf install tmux'
		quietly as_root dnf install -y -q tmux
	elif have apk; then
		say 'apk add tmux'
		quietly as_root apk add -q tmux
	elif have brew; then
		say 'brew install tmux'
		quietly brew install -q tmux
	fi
}

need_tmux() {
	have tmux || [ -n "${NO_SETUP-}" ] || install_tmux || :
	have tmux || {
		say 'tmux 3.0 or later is needed, and could not be installed here: get it with your package manager (apt-get, dnf, apk, pacman, brew: install tmux)'
		return 1
	}
}

need_engine() {
	! docker version >/dev/null 2>&1 || return 0
	if [ -z "${NO_SETUP-}" ] && [ "$(id -u)" = 0 ] && have apt-get; then
		if ! have docker || ! have dockerd; then apt_install docker.io || :; fi
		# Where no image can be pulled, the boxes are made of Debian packages.
		have mmdebstrap || apt_install mmdebstrap || :
	fi
	if [ "$(id -u)" != 0 ] || ! have docker || ! have dockerd; then
		say 'no container engine: the tests in containers will be skipped; start Docker, or on Debian as root: apt-get install docker.io mmdebstrap'
	fi
}

case ${1-} in
tmux | engine) "need_$1" ;;
*) echo 'usage: setup.sh tmux|engine' >&2; exit 64 ;;
esac
