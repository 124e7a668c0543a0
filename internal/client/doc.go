// Package client simulates what the clients of an API server send.
//
// A client that applies a manifest may send several requests. Each is simulated on the object that the
// one before leaves, and Run has the requests and what they come to together.
//
//	client.go    a client with its settings (settings.go), and what each client says of itself: Behavior
//	send.go      the requests for one manifest
//	sequence.go  the requests so far and what they leave, which whole.go makes one result of
//	kubectl.go   kubectl apply, on the server or on the client (clientside.go, patch.go), and the upgrade of
//	             client-side entries (annotation.go): Argo CD and others run the same code
//	omitted.go   what settings leave out of a manifest
//
// Each client is a package below: kubectl, helm, argocd, flux; clients makes them. about has their names,
// versions and options, and what they do in words; objects reads and edits trees; pathquery evaluates the jq
// of ignoreDifferences.
package client
