# settle.sh DIR WORK: makes the box's private directory with the environment that comes
# on standard input, and says whose it is. A WORK that its user cannot enter is an error:
# the agent would find itself in / instead.
set -eu
umask 077
cd -- "$2" 2>/dev/null || {
	echo "work_dir: user $(id -u) of the container cannot enter $2" >&2
	exit 1
}
mkdir "$1"
cat >"$1/environment"
echo "$(id -u) $(id -g)"
