// Package fielddiff compares two objects field by field, as people review
// them: what changed under which field path, and which list items moved.
//
// The pipeline: learn from the managed fields entries of both objects which
// lists are keyed and by what, walk both trees together, and collect a hunk
// for each map or list whose own children change.
//
// Laws: equal objects have no hunk; hunks come in the order of their paths in
// a printed object, keys sorted; an item that keeps its key and its place
// among the items that stay is not moved, and as few items as possible are.
package fielddiff
