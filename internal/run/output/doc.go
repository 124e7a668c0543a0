// Package output has the flags of how answers are shown, and puts them in their places.
//
//	display.go  results of writes, shown while they come
//	answer.go   one document
//	sheet.go    an output that is being written; complete, or not touched
//	commit.go   files that get their results (--write)
package output
