// Package exchange is the HTTP exchange of one call with a handler: request in, status
// code and body out. refusals.go has the answers of a server's router, for calls that no
// handler takes.
package exchange
