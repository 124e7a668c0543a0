// Package pace keeps the garbage collector out of the way of a short run, and
// the garbage of a large run small.
//
// By itself the collector runs four times while the API server's packages initialize,
// and a process that applies one small object ends before it need run at all. So it is
// off from this package's own initialization on, which comes before theirs, and first
// runs when there is much. Then it would let as much garbage grow as there is in use:
// with a large dump in memory, hundreds of megabytes. Most of what is held are texts,
// which cost the collector nothing, so that it may run more often.
package pace
