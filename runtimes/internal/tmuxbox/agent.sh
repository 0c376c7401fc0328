# agent.sh FILE PROGRAM [NAME...]: becomes the command in FILE, which starts with the
# word PROGRAM if exec can stand in front of it, without the variables NAME.
# A PROGRAM that is a builtin or a keyword cannot be exec'd.
command=$(cat "$1")
program=$2
shift 2
for name; do unset "$name"; done
case $(command -v "$program") in
*/*) exec sh -c "exec $command" ;;
*) exec sh -c "$command" ;;
esac
