// Command cluster makes up a cluster: a dump of live objects, as kubectl get
// writes it with --show-managed-fields, and the manifests that a field manager
// is about to apply to them. Benchmarks read both.
//
// The objects are what a server would have stored: each is created, applied
// and updated by its managers through internal/server, one write after the
// other, so that managed fields, defaults and values agree. Of the manifests,
// given shares change their object, or conflict; the others change nothing.
// With -crds the dump also has large definitions (test/crds), as operators bring
// them along, and with -applied-crds the manifests upgrade some of those. With -operator
// there are objects of a custom kind with rules, policies and webhooks; -dashboards and
// -releases add what charts and Helm bring along.
//
//	go run ./test/cluster -objects 5000 -seed 1 -out DIR
//
// writes DIR/live.yaml, DIR/manifests.yaml, DIR/crds.yaml, and DIR/former.yaml with the
// manifests that were applied before, which bring a real server to the same state but for
// what other managers did. Equal flags give equal files.
package main
