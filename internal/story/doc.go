// Package story has stories of writes with expectations: unit tests for ownership.
//
//	a file of stories            read.go, decode.go
//	  -> writes of a step        story.go
//	     -> what each came to    answer.go
//	        -> expectations      expect.go, field.go
//	  -> what was observed       update.go
//
// A story is told to whoever answers writes: the package knows the format and what is
// expected, and neither the command line nor the API server. What a story does not mention
// is not checked.
package story
