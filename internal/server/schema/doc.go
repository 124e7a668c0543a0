// Package schema holds the merge schemas of all built-in kinds, embedded, a
// file a Kubernetes minor version, and decodes them a kind at a time.
//
// A server makes these schemas from its OpenAPI definitions when it starts,
// which takes some 100 ms. Here opening a version takes microseconds, since
// nothing is decoded before it is asked for.
//
// # The format
//
// A file is a sequence of numbers (unsigned varints) and bytes:
//
//	magic    "ssactl-schema-1\n"
//	strings  count, then each as length and bytes; all else names strings by
//	         their index
//	types    count, then for each its name and the length of its atom, then
//	         the atoms one behind the other
//	kinds    count, then for each group, version, kind, and the index of its
//	         type
//
// An atom starts with a byte of flags (scalar, list, map) and holds what
// structured-merge-diff's schema.Atom holds, in the order of its fields. A
// type reference is either an index of a type or an atom of its own. Generated
// by hack/genschema; see its README.
//
// The package imports structured-merge-diff and apimachinery only.
package schema
