// Package managedfields answers who owns which field of an object, since when.
//
// It reads metadata.managedFields into field sets (Of), and asks them: the
// owners of a path, every owned path, what is owned though absent, what is
// present though unowned. Values are found in plain JSON trees by field path
// (Lookup), and a Shape says how a kind's merge type cuts an object into
// fields.
//
// It is a leaf: structured-merge-diff's vocabulary and JSON trees
// (map[string]any, []any, scalars) are all that it knows.
package managedfields
