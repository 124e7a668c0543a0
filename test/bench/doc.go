// Command bench measures whole runs of the built program on made-up clusters
// (test/cluster), and writes the table of docs/performance.md.
//
//	go run ./test/bench -ssactl bin/ssactl -doc docs/performance.md
//
// Time is that of the processors (user and system) and of the clock; memory is
// the largest resident set that the operating system saw. Each figure is the
// median of a few runs.
package main
