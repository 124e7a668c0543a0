// Package store is a key-value store in memory that keeps old versions of its keys, with the
// semantics of etcd on which kube-apiserver relies: one revision counter, transactions,
// watches from a revision, leases, and compaction.
//
//	store.go    the store, its views and its updates
//	versions.go the versions of one key; packed.go values that are compressed
//	read.go     ranges at a revision; write.go puts and deletes
//	watch.go    changes, as they happen and from the history
//	compact.go  what history is forgotten; lease.go keys that expire
//	start.go    what is there before the first client, and the way back to it
package store
