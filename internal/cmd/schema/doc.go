// Package schema reports what Server-Side Apply does with the fields of a kind: how
// lists and maps merge and by which marker, what the server fills in and stores, who
// writes a field without being asked.
//
//	document.go  the answer
//	walk.go      from the merge type to fields
//	find.go      a field by the path that people type
package schema
