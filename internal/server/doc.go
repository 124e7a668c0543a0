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
//	               answer
//	flags.go       flags of kube-apiserver, flag_values.go what they mean,
//	               presets.go those of distributions; process.go what one
//	               process has once
//	catalog.go     kind to the storages that serve it, a group built at first use
//	groups.go      the storages of each API group; core.go those of the core
//	custom.go      custom resources; definitions.go what defines them, read when
//	               it is first asked for; unknown.go kinds that nobody defines
//	scope.go       what the API installer would hand to the handlers
//	exchange.go    the HTTP exchange: request in, status code and body out
//	transaction.go the one live object; storage.go the storage over it
//	admission.go   the plug-ins that need no cluster, in the server's order;
//	               plugins_optional.go those that run only when told to
//	policies.go    admission policies in force; policy_worlds.go and
//	               policy_discretion.go mask what they make of values of Secrets
//	synthetic.go   values that only a server can give: placeholders, and how they leave the answer
//	clock.go       a fixed time of answering
//	hidden_fields.go      what of a stored object no file has
//	direct.go      an endpoint for who knows what an apply leads to, as the
//	               decorator in fastapply does; direct_update.go stores that
//
// It is the only package that imports k8s.io/kubernetes, k8s.io/apiserver,
// k8s.io/apiextensions-apiserver and k8s.io/kube-aggregator.
package server
