// Package cmd is the command line: one file a command, which has its flags, what
// it asks about each object, and what it makes of the answers.
//
// Every command that is about objects takes one way, that of the runner:
//
//	runner.go   load, ask about each subject, show, write, give the verdict
//	load.go     the manifests and live objects, and the server that knows them
//	pair.go     the live object of each manifest
//	write.go    a question of writes: answers are shown while they come (display.go)
//	inquiry.go  a question of a plan: the answers make one document (answer.go)
//	sheet.go    an output that is being written; complete or not touched (place.go)
//	commit.go   files that get their results (--write)
//	exit.go     the exit code of a verdict
package cmd
