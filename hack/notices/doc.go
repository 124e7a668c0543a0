// Command notices prints the licenses of all that is linked into a program: those of
// the Go standard library, and of each module with a package that is linked on any of
// the platforms that are released. A module without a license is an error: what may
// not be passed on must not be linked.
//
//	go run ./hack/notices [-tags LIST] PACKAGE > THIRD_PARTY_NOTICES
package main
