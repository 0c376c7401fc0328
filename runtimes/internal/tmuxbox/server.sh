# server.sh: the box's tmux server, which takes over this shell's environment as its
# global one.
#
# -f /dev/null: a box is not a person's terminal. A hook, a default-command or a
# plugin of ~/.tmux.conf would run here with nobody to see it.
# exit-empty off: without it a server that has no session ends, and takes the
# environment with it.
# remain-on-exit: a dead agent's last words stay, also of one that was launched over
# exec; is-running looks at pane_dead.
# default-size: -x and -y of new-session are ignored by tmux 3.2a.
set -eu
tmux -u -f /dev/null start-server ';' \
	set-option -s exit-empty off ';' \
	set-option -gw remain-on-exit on ';' \
	set-option -g default-size 200x50 ';' \
	set-option -g default-terminal screen-256color ';' \
	set-option -g history-limit 10000
