// Package parity says when an answer of ssactl is the answer that a real
// kube-apiserver gave to the same request.
//
// Recordings are scenarios: stories of HTTP requests in their order, each with
// the object before, the server's answer, and the object after. Every step is
// a case of its own:
//
//	Scenarios -> Step -> Request -> (a server under test) -> Diff
//
// What a real server answers differently from one run to the next (uids,
// stamps, allocated addresses, the order of causes, …) is left out of the
// comparison, and nothing else: each rule is in normalize.go or status.go with
// its reason. The package imports no server, so that the replay test and the
// live comparison of test/oracle share it.
package parity
