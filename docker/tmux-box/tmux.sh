#!/bin/sh
# Prints the path of an executable that runs the tmux of a Debian suite on this
# machine, without an engine: for tests of another tmux on the local runtime.
#
#   TMUX_TEST_BINARY=$(docker/tmux-box/tmux.sh trixie) go test ./...
#
# It unpacks the base that build.sh keeps in the cache. tmux runs with the
# libraries of its suite; what it starts runs with the machine's.
set -eu

[ $# -eq 1 ] || { echo "usage: tmux.sh SUITE" >&2; exit 64; }
suite=$1
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tmux-carrier
base=$cache/base-$suite.tar.gz
dir=$cache/tmux-$suite
[ -f "$base" ] || { echo "tmux.sh: no $base: run build.sh $suite" >&2; exit 1; }

# -f of build.sh makes the base anew: the copy is the older one then.
if [ ! -x "$dir/tmux" ] || [ -n "$(find "$base" -newer "$dir/tmux")" ]; then
	new=$(mktemp -d "$cache/tmux-$suite.XXXXXX")
	trap 'rm -rf "$new"' EXIT
	mkdir "$new/root"
	# Suites differ in what of this they have, and tar's status says so, too.
	tar -xzf "$base" -C "$new/root" --wildcards \
		'./lib*' './usr/lib*' './usr/bin/tmux' './usr/share/terminfo*' 2>/dev/null ||
		[ -x "$new/root/usr/bin/tmux" ]
	cd "$new/root"
	loader=$(find . -name 'ld-linux*.so.*' | head -n 1)
	path=
	for lib in lib/*-linux-gnu usr/lib/*-linux-gnu; do
		path=$path${path:+:}$dir/root/$lib
	done
	# Before glibc 2.35 (bullseye) C.UTF-8 is a file, not built in. Only there:
	# a pane's environment shows it.
	locale=
	[ ! -d usr/lib/locale/C.UTF-8 ] || locale="LOCPATH='$dir/root/usr/lib/locale' "
	cd "$cache"
	cat >"$new/tmux" <<-END
		#!/bin/sh
		${locale}exec "$dir/root/$loader" --library-path "$path" "$dir/root/usr/bin/tmux" "\$@"
	END
	chmod 0755 "$new/tmux"
	rm -rf "$dir"
	mv "$new" "$dir"
	trap - EXIT
fi
printf '%s\n' "$dir/tmux"
