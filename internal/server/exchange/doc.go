// Package exchange is the HTTP exchange of one call with a handler: request in, status
// code and body out (exchange.go). refusals.go answers what never reaches a handler, as the
// router of a server does.
package exchange
