// Package migration plans how an object moves from client-side to server-side
// apply: last-applied annotations and Update entries become the Apply entry of
// one field manager.
//
//	object -> what the annotation says         annotation.go
//	       -> whose entries are client-side    evidence.go, from the names of known.go
//	       -> who gets them                    target.go
//	       -> the fields to claim              claim.go, over API versions: convert.go
//	       -> entries and object afterwards    complete.go, with ownership.Entries
//	       -> who else keeps fields alive      coowner.go
//	       -> what the next apply does         next.go, asked by ownership.Apply
//	       -> what to hand over                patch.go
//
// compatible.go plans as upstream's csaupgrade does, and reverse.go the way
// back to client-side apply.
//
// A plan is plain data. Nothing here reads files or talks to a cluster: the server that
// is asked is an api.Server.
package migration
