# Keeps a value in the environment of session main. Arguments: NAME VALUE, a ; at the
# end of VALUE escaped. Without -u a C-locale client would store _ for each character.
tmux -u set-environment -t =main -- "$1" "$2"
