// Package lint finds what is wrong with manifests before there is a live object:
// what a server refuses, and what surprises later.
//
// The server is the validator: Examine is given what applying the manifest as a new
// object gave, and reads its causes, and how what is stored differs from what is
// asked for. Only what the answer does not tell is looked for here: the lines of both
// of two items with one key, who else in the inputs writes a field, and how the
// schema of a CustomResourceDefinition merges. Each other file has some rules, what
// looks for them, and what they say; lint.go is a manifest, and what is found on it.
package lint
