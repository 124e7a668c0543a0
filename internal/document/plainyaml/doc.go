// Package plainyaml reads the YAML that kubectl, controller-gen, Helm and
// kustomize write, and most that is written by hand, ten to twenty times as fast
// as a YAML parser does: 13 times a live object, 24 times a definition of a
// megabyte. All else it leaves alone, and says so.
//
// The law: where it converts a text, sigs.k8s.io/yaml converts it to equal
// JSON, in strict mode too (no key is repeated). What YAML 1.1 might read in
// more ways than one (timestamps, numbers with exponents, words such as "yes"),
// what is seldom (anchors, tags, complex keys) and what is wrong are none of its
// business.
//
//	lines.go        the text, line by line
//	blocks.go       mappings and sequences by their indentation
//	keys.go         the key of an entry, and repeated keys
//	flow.go         collections in flow style
//	plain.go        plain scalars
//	quoted.go       quoted scalars
//	blockscalar.go  literal and folded block scalars
//	resolve.go      what a plain scalar means
//	write.go        JSON, into buffers that are used again
package plainyaml
