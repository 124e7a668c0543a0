// Package compare says what happened between two dumps of the same cluster:
// which objects, values and owners changed, and who took what from whom.
//
// Plan:
//
//	comparison.go  what is said of one object, as plain data
//	compare.go     two states of an object to that: values first
//	ownership.go   owners of each field before and after; entries that came and went
//	next.go        the next apply of a manifest, on the state before and after
//	document.go    all objects of a run, counted and grouped by manager
package compare
