// Package fieldpattern is how people write fields of objects: as the API server
// writes them in conflict causes, with stars for any key and any item.
//
//	pattern.go  the text of a pattern, and the values that it selects in a JSON tree
//	covers.go   the field paths that a pattern is about
package fieldpattern
