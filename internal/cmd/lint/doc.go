// Package lint finds what is wrong with manifests before there is a live object:
// what a server refuses, and what surprises later.
//
// The server is the validator: Examine is given what applying the manifest as a new
// object gave, and reads its causes, and how what is stored differs from what is
// asked for. Only what the answer does not tell is looked for here: the lines of both
// of two items with one key, who else in the inputs writes a field, and how the
// schema of a CustomResourceDefinition merges.
//
//	rules.go       the order of the rules
//	lint.go        a manifest, and what is found on it
//	refused.go     what the server refuses
//	lists.go       items that cannot be told apart
//	stored.go      what the server stores differently, or not at all
//	respelled.go   what a typed client spells differently; objects that are given twice
//	server.go      what is not for manifests to set
//	others.go      what another object in the inputs writes
//	definition.go  how the schema of a definition merges
package lint
