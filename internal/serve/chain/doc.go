// Package chain runs kube-apiserver as it is (the aggregator, the API server, and that of
// custom resources), over a store in memory. Ours is what lies below etcd's API, and what
// keeps everything within the process.
//
//	start.go    a server from its options until it is ready, and its end
//	options.go  the flags of kube-apiserver; config.go its configuration and what changes in it
//	direct.go   storage without a connection for each resource; cached.go its watch cache, idle.go when that ends
//	secrets.go  certificate, tokens and keys, new for each server
//	front.go    what answers before kube-apiserver does: reset and recording
//	objects.go  all that a server has
//	ready.go    workloads that are rolled out at once; ready_status.go their status
//	controllers.go  the controllers of upstream that run in the process
package chain
