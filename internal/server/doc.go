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
//	flags.go       flags of kube-apiserver, flag_values.go what they mean,
//	               presets.go those of distributions; process.go what one
//	               process has once
//	catalog.go     kind to the storages that serve it, a group built at first use
//	groups.go      the storages of each API group; core.go those of the core
//	scope.go       what the API installer would hand to the handlers
//	lookups.go     which other objects of the cluster answers depend on
//	direct.go      an endpoint for who knows what an apply leads to, as the
//	               decorator in fastapply does; direct_update.go stores that
//
// The storage over the one live object is in memory, the plug-ins are in admission, and the
// other objects of the cluster in given.
//
// It and the packages below it alone import k8s.io/kubernetes, k8s.io/apiserver,
// k8s.io/apiextensions-apiserver and k8s.io/kube-aggregator.
package server
