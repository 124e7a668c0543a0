package fastapply

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// create answers an apply of what is not there. Upstream merges the configuration with an
// empty object of the Go type, whose empty fields say nothing (handlers/patch.go,
// createNewObject). False where the server may answer otherwise.
func (a *apply) create(ctx context.Context) (api.Response, bool) {
	var ok bool
	if !a.named() {
		return api.Response{}, false
	}
	if a.overlay, ok = newOverlay(a.kind.root, a.config, nil, nil); !ok {
		return api.Response{}, false
	}
	entry, ok := a.ownEntry()
	if !ok {
		return api.Response{}, false
	}
	_, object, err := a.internal(a.overlay.merged, []metav1.ManagedFieldsEntry{entry}, server.Form{})
	if err != nil {
		return api.Response{}, false
	}
	return a.endpoint.Create(ctx, server.Creation{Object: object, Filled: a.filled})
}

// named reports whether the configuration has the name of the request, and its namespace or
// none.
func (a *apply) named() bool {
	metadata, _ := a.config["metadata"].(map[string]any)
	namespace, has := metadata["namespace"]
	return a.call.Name != "" && metadata["name"] == a.call.Name &&
		(!has || a.call.Namespace != "" && namespace == a.call.Namespace)
}
