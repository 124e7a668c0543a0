// Package plainyaml reads the YAML that kubectl, Helm and kustomize write, ten
// times as fast as a YAML parser does: block mappings and sequences, scalars on
// one line or folded, literal block scalars, collections in flow style on one
// line, and JSON. All else it leaves alone, and says so.
//
// The law: where it converts a text, sigs.k8s.io/yaml converts it to equal
// JSON, in strict mode too (no key is repeated). What YAML 1.1 might read in
// more ways than one (floats, timestamps, octal numbers, words such as "yes",
// anchors, tags, escapes of JSON alone) is none of its business.
//
//	lines.go    the text, line by line
//	blocks.go   mappings and sequences by their indentation
//	flow.go     collections in flow style
//	scalars.go  plain, quoted and literal scalars
//	resolve.go  what a plain scalar means
//	keys.go     repeated keys
//	write.go    JSON
package plainyaml
