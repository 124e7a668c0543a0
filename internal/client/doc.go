// Package client simulates what the clients of an API server send.
//
// A client that applies a manifest may send several requests. Each is simulated on
// the object that the one before leaves:
//
//	kubectl.go     kubectl apply, on the server or on the client (clientside.go), and the
//	               upgrade of client-side entries that clients share; kubectl_prune.go what
//	               it deletes
//	helm.go        helm upgrade; helm_release.go finds its release, helm_order.go the order
//	argocd.go      a sync of Argo CD; argocd_order.go has its phases and waves
//	flux.go        a reconciliation of Flux; flux_stages.go has its stages, flux_manifest.go
//	               what it makes of a manifest
//	ignored.go     fields that Argo CD ignores; pathquery has its jq expressions
//	pointer.go     the JSON pointers by which Argo CD and Flux ignore fields
//
// about has the names, versions and options of the clients, and what they do in words.
//
// Run has the requests and what they come to together.
package client
