// Package given has the other objects of a cluster, as far as they were among the
// inputs: what admission looks up.
//
//	given.go       what is known of each kind
//	informers.go   the informers through which the server's code sees it
//	parameters.go  the same for objects that are parameters of policies
//	ready.go       whether it suffices for a request
//	namespaces.go  the namespaces that exist
package given
