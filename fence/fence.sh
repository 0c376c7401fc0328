# Runs one command list on the agent pane. Arguments: FENCE-OPTION LIST
fence=$1 journal='' last=''
find_pane
[ -z "$(tmux -u show-options -sqv "$fence")" ] || { echo hidden; exit 0; }
act "$2"
