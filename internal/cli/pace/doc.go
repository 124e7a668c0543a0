// Package pace keeps the garbage collector out of the way of a short run, and
// the garbage of a large run small.
//
// A process that applies one small object ends before the collector need run at all;
// one large definition has it run. By itself the collector runs four times while the
// API server's packages initialize; so it is off from this package's own
// initialization on, which comes before theirs, and first runs when there is much.
//
// Then it would let as much garbage grow as there is in use: with the objects
// of a large dump in memory, that is hundreds of megabytes. What is held of them
// are texts, which cost the collector nothing to look through, so that it may
// run more often. Where few objects are answered, it does so soon: it runs a
// handful of times in all.
//
// What memory costs a short run besides is the kernel's work for its pages, so that they
// are to be large ones.
package pace
