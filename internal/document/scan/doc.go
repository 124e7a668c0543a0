// Package scan reads texts of any size through a window that holds only what is needed:
// line by line, or JSON by its tokens. JSON is read by RFC 8259 without building values,
// and FuzzSkip has it accept what encoding/json accepts: that has a Decoder, which takes
// 4.2 times as long to cut the items out of an indented List without saying who they are
// (BenchmarkDecoder of input/manifest, beside BenchmarkRead/json_list/none), and holds a
// value of any size in memory, wanted or not.
//
//	window.go   the text that is held
//	scanner.go  brackets, keys and what a scanner is
//	strings.go  strings
//	skip.go     values that are passed
package scan
