// Package serve is the command serve: an API server over a dump, for real clients. The server
// is a program of its own (cmd/ssactl-serve), so other commands do not link it.
//
//	command.go     the flags, and what they may not be
//	serving.go     from the start of the server to its end
//	child.go       the program of the server, and what it says
//	kubeconfig.go  the file by which clients find the server
//	client.go      the command that is run against the server
package serve
