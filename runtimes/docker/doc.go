// Package docker is the runtime of containers: a box is a container of an image that
// has sh and tmux, and is entered by the docker command. Start at [Runtime].
//
// The work_dir is bind-mounted at its own path, so nothing is copied, and what the
// agent leaves there outlives the box. The session's environment goes in on standard
// input and stays in a private file of the container: neither docker inspect nor a
// list of this host's processes shows a value of it.
//
// It needs an engine on this host, since the work_dir is mounted from here. It never
// pulls or builds an image by itself beyond what docker run does, and never touches a
// container that it did not make.
package docker
