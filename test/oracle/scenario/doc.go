// Package scenario tells scenarios to a real kube-apiserver and records what it answers, in the
// format of test/parity.
//
// A scenario is not a story of ssactl test (internal/story), which test/oracle/told tells. It says
// each request as it goes over the wire, in texts and media types that no client sends and no
// command line of ssactl takes; it may change what the server has stored, and when; and it expects
// nothing, as the server's whole answers are its outcome. A story says what users do and
// what they hold to be true of it.
package scenario
