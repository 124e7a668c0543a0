// Package cluster stands in for a cluster: the manifests, the live objects that they name,
// and a server that knows their kinds.
//
//	cluster.go    the pass of a run: read, serve, load what is live, find who sends
//	world.go      what is known of the cluster; the files up to settings.go are of it
//	inputs.go     what was read, what is wrong with it, and how far the reading is
//	live.go       the live objects of a run; absent.go what it may mean that there is none
//	served.go     the kinds that the server serves; given.go what it is given for them
//	named.go      namespaces, and the objects that arguments name
//	pair.go       the live object of each manifest
//	settings.go   the objects that clients take settings from
//	sender.go     the client that sends the writes, and its field manager
//	writing.go    the write of a pair; answering.go its answer and risks; prove.go its
//	              findings, with fixes that were followed
//	course.go     what a write changes for those after it; together.go what manifests of
//	              a run need of each other
//	snapshots.go  what a snapshot says of itself, what it has for values of Secrets, and
//	              the key of these
package cluster
