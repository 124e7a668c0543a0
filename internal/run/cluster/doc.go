// Package cluster stands in for a cluster: the manifests, the live objects that they name,
// and a server that knows their kinds.
//
//	load.go      reads manifests, definitions and live objects, and makes the server
//	given.go     what admission and definitions look up
//	pair.go      the live object of each manifest
//	absent.go    what it may mean that there is none
//	simulate.go  the write of a pair, and its answer
//	together.go  what objects of one run need of each other
//	client.go    the client that sends the writes
package cluster
