# Adds one part to a private file in the box, and prints its name and size. The
# first part makes it, and takes away those that calls left which never came back.
# Arguments: NAME OFFSET PART
set +eu
set -f
name=$1 offset=$2 part=$3
umask 077
dir=${TMPDIR:-/tmp}
[ -d "$dir" ] && [ -w "$dir" ] || dir=/tmp
file=$dir/gc-text.$name
if [ "$offset" = 0 ]; then
	find "$dir" -maxdepth 1 -type f -name 'gc-text.*' -mmin +60 -exec rm -f {} + 2>/dev/null
	# Made by us alone, never through a link that somebody laid.
	(set -C && : >"$file") || exit
fi
size=$(wc -c <"$file") || exit
# A part that came already (an exec that a transport sent twice) is not added again.
[ "$size" -ne "$offset" ] || printf %s "$part" >>"$file" || exit
size=$(wc -c <"$file") || exit
echo "$((size)) $file"
