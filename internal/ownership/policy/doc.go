// Package policy says who may own which field, and finds who owns another.
//
//	policy.go   rules, and which of them decides
//	parse.go    the text of a policy: YAML, every error with its line
//	node.go     what a YAML node has to be
//	check.go    what owners of an object, or a write, do against it
//	observe.go  who owns what in many objects, by kind and field pattern
//	derive.go   the shortest policy that says just that
//	encode.go   a policy as text
//
// The last rule that matches a field decides on it, as the last pattern of
// CODEOWNERS or .gitignore does: the general rule comes first, the exception below
// it. A field that no rule matches may be owned by any manager.
package policy
