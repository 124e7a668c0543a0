package load

import "k8s.io/apiserver/pkg/registry/generic"

// Storages say how each of the servers of a chain stores its resources.
type Storages struct {
	Kube, Definitions, Custom, Aggregator generic.RESTOptionsGetter
}
