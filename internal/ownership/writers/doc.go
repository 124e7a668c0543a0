// Package writers knows who writes which field without being asked: the one table
// that schema shows, and by which risk and lint find manifests that set such a field.
//
//	cluster.go      the components of a default cluster, by kind and field
//	autoscalers.go  what autoscalers scale
//	claims.go       what objects of the inputs have written to others
//	injectors.go    annotations that ask for a field to be written
//
// Rows come from what those programs do; that nothing is here of a field proves
// nothing.
package writers
