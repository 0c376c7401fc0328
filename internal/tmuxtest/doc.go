// Package tmuxtest gives a test its own tmux: a server in a private directory
// with one session, main, that runs the demo agent or a command, and a
// connection to it of the kind that a runtime gives.
//
// Start at Start. A package that starts demo agents hands its TestMain to Main,
// so that its test binary can be the agent:
//
//	func TestMain(m *testing.M) { tmuxtest.Main(m) }
//
//	pane := tmuxtest.Start(t, tmuxtest.Options{Agent: []string{"--nbsp"}})
//	conn := pane.Conn(tmuxtest.Command, "dash")
//
// Nothing outlives the test: Start's cleanup ends the server and every process
// that it started, those too that ignore HUP and TERM. It never touches the
// tmux server of the person who runs the tests.
package tmuxtest
