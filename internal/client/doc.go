// Package client simulates what the clients of an API server send.
//
// A client that applies a manifest may send several requests. Each is simulated on
// the object that the one before leaves:
//
//	kubectl.go     kubectl apply --server-side
//	csaupgrade.go  the upgrade of client-side entries that clients share
//
// Run has the requests and what they come to together.
package client
