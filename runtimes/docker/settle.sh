# settle.sh DIR: makes the box's private directory with the environment that comes on
# standard input, and says whose it is.
set -eu
umask 077
mkdir "$1"
cat >"$1/environment"
echo "$(id -u) $(id -g)"
