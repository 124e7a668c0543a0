// Package server runs the API server's own code in this process.
//
// It does not imitate kube-apiserver: the request handlers, registries,
// strategies, field manager, defaulting, conversion, validation and pure
// admission plug-ins are those of k8s.io/kubernetes, over a storage that holds
// just the live object of one request. No cluster, no etcd, no network.
//
// A call goes through these stages, one file each:
//
//	server.go      New and Do: the surface, in the plain types of api
//	serve.go       one call: the handler that it goes to, and what is made of the
//	               answer; exchange sends it, custom has the handlers of custom
//	               resources, and faithful makes the answer that of a real server
//	flags.go       flags of kube-apiserver, with those of distributions; flag_values.go
//	               what they mean
//	process.go     what one process has once: the release among them
//	catalog.go     kind to the storages that serve it, a group built at first use
//	groups.go      the storages of each API group; core.go those of the core
//	scope.go       what the API installer would hand to the handlers
//	kinds.go       the kinds that are served, and which kinds answers depend on
//	services.go    what the allocators of Services decide
//	fields.go      what is known of the fields of a kind
//	direct.go      an endpoint for callers that know what an apply leads to:
//	               the decorator in fastapply; direct_update.go stores that in place
//	               of the live object, direct_create.go as a new one, and
//	               direct_write.go is what both do
//
// memory has the storage over the one live object, admission the plug-ins, and given the
// other objects of the cluster.
//
// Only it and the packages below it import k8s.io/kubernetes, k8s.io/apiserver,
// k8s.io/apiextensions-apiserver and k8s.io/kube-aggregator.
package server
