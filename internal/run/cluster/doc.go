// Package cluster stands in for a cluster: the manifests, the live objects that they name,
// and a server that knows their kinds.
//
//	cluster.go    the pass of a run: read, serve, load what is live
//	inputs.go     what was read, and what is wrong with it; reading.go how far it is
//	live.go       the live objects of a run; absent.go what it may mean that there is none
//	served.go     the kinds that the server serves; given.go what it is given for them
//	scope.go      namespaces; named.go the objects that arguments name
//	pair.go       the live object of each manifest
//	sender.go     the client that sends the writes; manager.go its field manager
//	writing.go    the write of a pair; answering.go its answer and risks
//	course.go     what a write changes for those after it; together.go what they need of
//	              each other
//	snapshots.go  what a snapshot says of itself; digests.go what it has for values of
//	              Secrets, seal_key.go the key of these
package cluster
