package cluster

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/fastapply"
)

// Simulated is the API server that a run asks, and that learns what the run does.
type Simulated interface {
	api.Server
	api.Lifecycle
	api.Alike
	api.Fields
	api.Storing
	Version() string
	Learn(object []byte)
	Define(crd []byte) error
	Forget(kind schema.GroupKind, namespace, name string)
	LackNamespace(name string)
	Runs(version string)
	LackKind(kind schema.GroupKind)
	Counts(namespace string) bool
}

// newSimulated makes one of a cluster; like is a server of its flags. Its shortcut is
// round it: without, the answers are the same.
func newSimulated(like *server.Server, cluster server.Options) (Simulated, error) {
	s, err := like.With(cluster)
	if err != nil {
		return nil, err
	}
	return fastapply.Around(s), nil
}
