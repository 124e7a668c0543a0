// Package migration plans how an object moves from client-side to server-side
// apply: last-applied annotations and Update entries become the Apply entry of
// one field manager.
//
//	what is known of the object      subject.go    the annotation (annotation.go), the manifest
//	                                 wish.go       and over API versions
//	  -> who gets the fields         target.go
//	  -> whose entries they are      evidence.go, from the names that writers knows
//	  -> what the entries become     claim.go      with ownership.Entries
//	  -> what the next apply does    complete.go   asked by ownership.Apply
//	  -> what is said                tell.go, by its rules
//	  -> the patch                   plan.go, which is the pass
//
// compatible.go plans as upstream's csaupgrade does, and reverse.go the way
// back to client-side apply.
//
// A plan is plain data. Nothing here reads files or talks to a cluster: the server that
// is asked is an api.Server.
package migration
