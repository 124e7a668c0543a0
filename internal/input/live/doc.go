// Package live holds the live objects of a run: read from files and dumps of
// any size, one object at a time, and indexed by group, kind, namespace and
// name. Only the wanted ones are kept; the others are counted.
package live
