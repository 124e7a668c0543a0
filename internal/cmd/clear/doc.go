// Package clear plans to clear managed fields entries: all of an object, or
// those of single managers.
//
// The plan is a JSON patch, and what it does is not guessed: the server is
// asked.
//
//	select the entries            selection.go
//	ask the server for the patch  clear.go   owners before and after, and what is to be
//	                                         known
//	what the next applies do      next.go    each Apply manager's own configuration, and
//	                                         one field of it, dropped or changed
package clear
