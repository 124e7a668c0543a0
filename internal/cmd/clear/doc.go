// Package clear plans to clear managed fields entries: all of an object, or
// those of single managers.
//
// The plan is a JSON patch, and what it does is not guessed: the server is
// asked.
//
//	select the entries        selection.go
//	write the patch           patch.go
//	ask the server for it     clear.go
//	what is lost              loss.go    owners before and after
//	what the next applies do  next.go    each Apply manager's own configuration
//	                          probe.go   one field of it, dropped or changed
//	what is to be known       remark.go
//	one run of all objects    document.go
package clear
