// Package cli is the command line: one file a command, flags to options,
// answers to exit codes.
//
// A command that simulates writes is one readable pass:
//
//	cluster.go   load manifests and live objects, make the server
//	pair.go      find the live object of each manifest
//	simulate.go  ask the engine for each pair, several at once
//	display.go   show each answer in its turn, in every format asked for
//	place.go     files that are complete or not touched
//	write.go     put the results back into the files (--write)
//	exit.go      derive the exit code
package cli
