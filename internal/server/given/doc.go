// Package given has the other objects of a cluster, as far as they were among the
// inputs: what admission looks up.
//
//	given.go      what is known of each kind, and which namespaces exist
//	informers.go  the informers through which the server's code sees it
//	ready.go      whether it suffices for a request
package given
