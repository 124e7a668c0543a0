// Package refusal finds what of a live object an apply is rejected for, though the manifest
// alone is valid, and how the same apply is accepted.
//
//	explain.go   the question: the manifest as it would create the object
//	search.go    the smallest set of fields without which the server has nothing against it
//	leftover.go  live values that the manifest lacks and the apply keeps
//	change.go    values that the server does not let change
//	fix.go       ways out, each simulated
//	mended.go    the write once the first of them were gone
//	cost.go      what replacing an object of a kind costs
//
// Everything is tried: the server's words only say where to look first.
package refusal
