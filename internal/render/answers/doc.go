// Package answers makes the page of simulated writes: one object in full (write.go), and a
// run over several by its causes, the worst first (run.go).
package answers
