// Command bench measures whole runs of the built program on made-up clusters
// (test/cluster), and writes the table of docs/performance.md.
//
//	go run ./test/bench -ssactl bin/ssactl -doc docs/performance.md
//
// Time is that of the processors (user and system) and of the clock; memory is
// the largest resident set that the operating system saw. Each figure is the
// median of a few runs. With -oracle, kubectl is asked about the same manifests by a
// real server, which test/oracle starts on this machine, in the same sitting:
//
//	(cd test/oracle && go build -o ../../bin/oracle .)
//	go run ./test/bench -ssactl bin/ssactl -oracle bin/oracle -doc docs/performance.md
//
// With -upgrades, real upgrades are measured like the made-up ones: a folder each, with the
// files that test/cluster writes.
//
// Without it, or without kubectl, the table says nothing of them.
package main
