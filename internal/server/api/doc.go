// Package api is one call to the API server, and its answer, in plain types: the
// vocabulary between internal/engine and the questions, which ask, and
// internal/server, which answers. It imports neither.
//
//	call.go    Request and Response
//	served.go  how the server serves a kind
//	caveat.go  what was not simulated
//	cluster.go what is known of the cluster besides
//	errors.go  errors that are no answers
package api
