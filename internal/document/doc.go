// Package document reads the text of one document, YAML or JSON, with the places of what
// it says: for messages, which name lines; for edits, which change bytes and nothing
// around them; and for writing back.
//
//	document.go          a value with the bytes that it is written in, and changes of these
//	json.go              what a text says, as the API server reads it; nodes of JSON, and
//	                     of YAML that can be read in one way only
//	yaml.go, scalars.go  nodes of any other YAML
//	split.go             the documents of a text
//	lines.go             lines of a text, and steps from one place of it to another
//
// Below it, scan reads JSON and lines of any length, and plainyaml is the fast reader of
// YAML: what it is not sure of is left to the libraries.
package document
