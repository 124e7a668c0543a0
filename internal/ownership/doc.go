// Package ownership is what the questions about moving ownership share: one editor of
// managed fields entries, and one simulation of the next apply.
//
//	a live object, and the server that answers     object.go
//	  -> what a manager applies next               apply.go
//	     -> what that does to the object
//	  -> entries removed, pruned, joined           entries.go
//	     -> the JSON patch that does it            patch.go
//
// What the answers mean stays with who asks: migrate, transfer, clear, explain and
// compare.
package ownership
