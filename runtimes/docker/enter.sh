# enter.sh DIR WORK COMMAND...: runs the command in WORK with the environment of the box:
# a line "NAME LINES" each, and as many lines of value; 0 is unset. No value is ever an
# argument or a piece of a script. What a shell does not let anybody set is left alone.
_tc_dir=$1 _tc_work=$2
shift 2
while IFS=' ' read -r _tc_name _tc_lines; do
	_tc_value=''
	_tc_left=$_tc_lines
	while [ "$_tc_left" -gt 0 ]; do
		IFS= read -r _tc_line
		_tc_value=$_tc_value$_tc_line
		_tc_left=$((_tc_left - 1))
		[ "$_tc_left" -eq 0 ] || _tc_value="$_tc_value
"
	done
	case $_tc_name in
	PPID | UID | EUID | BASHOPTS | SHELLOPTS) ;;
	*) if [ "$_tc_lines" -eq 0 ]; then unset "$_tc_name"; else export "$_tc_name=$_tc_value"; fi ;;
	esac
done <"$_tc_dir/environment"
unset TMUX TMUX_PANE TMUX_TMPDIR
cd -- "$_tc_work" 2>/dev/null || cd /
exec "$@"
