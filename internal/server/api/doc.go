// Package api is one call to the API server, and its answer, in plain types: the
// vocabulary between internal/engine and the questions, which ask, and
// internal/server, which answers. It imports neither.
//
//	call.go    Request, Response, and how the server serves a kind
//	field.go   what a server publishes of fields
//	caveat.go  what was not simulated, and errors that are no answers
package api
