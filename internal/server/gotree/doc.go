// Package gotree goes between JSON trees and Go values without text: Read makes a value
// of a tree as the API machinery's converter does, and WriteLike a tree of a value as
// encoding/json does. Both take what did not change from what is there already, and are
// true only where they are sure.
//
//	shape.go   what is known of a type; union.go of one that stands for several
//	place.go   values in memory
//	read.go    a tree to a value; change.go where another tree was read
//	write.go   a value to a tree, where another value may have written one; object.go
//	           structs and maps
package gotree
