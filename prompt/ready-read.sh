# Prints NAME=VALUE of session main, or nothing where it has none. Argument: NAME
# The one variable is asked for: in a listing, a value could forge another line.
tmux -u has-session -t =main || exit
tmux -u show-environment -t =main "$1" 2>/dev/null || :
