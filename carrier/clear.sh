# Clears the scrollback of the agent pane. Arguments: FENCE-OPTION
fence=$1
find_pane
tmux -u has-session -t "=main:.$pane" \; clear-history -t "=main:.$pane" \; display-message -p cleared
