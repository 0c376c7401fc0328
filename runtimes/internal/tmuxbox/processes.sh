# processes.sh PID: the process PID and its descendants, a line each: pid, ppid, comm,
# argv[0], argv[1], separated by tabs. A box need not have ps; where there is no such
# /proc (macOS), ps lists every process.
tab=$(printf '\t')
walk() {
	read -r comm <"/proc/$1/comm" || return 0
	printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$comm" \
		"$(tr '\t\n\000' '  \n' <"/proc/$1/cmdline" | head -n 2 | tr '\n' '\t')"
	# shellcheck disable=SC2013 # words are what is wanted
	for child in $(cat "/proc/$1"/task/*/children); do
		walk "$child" "$1"
	done
}
exec 2>/dev/null
if [ -r "/proc/$$/task/$$/children" ]; then
	walk "$1" 0
else
	ps -A -o pid= -o ppid= -o comm= -o args= | sed "s/^ *//; s/  */$tab/g"
fi
