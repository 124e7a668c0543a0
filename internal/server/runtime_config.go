package server

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	serveroptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/server/resourceconfig"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/controlplane"
)

// resources are the APIs that a server with the flags serves: those that it
// serves by default, and what runtime-config turns on and off.
func (f flags) resources() (*serverstorage.ResourceConfig, error) {
	served := controlplane.DefaultAPIResourceConfigSource()
	if len(f.runtimeConfig) == 0 {
		return served, nil
	}
	asked := serveroptions.APIEnablementOptions{RuntimeConfig: f.runtimeConfig}
	if err := errors.Join(asked.Validate(legacyscheme.Scheme)...); err != nil {
		return nil, fmt.Errorf("flag runtime-config of kube-apiserver: %w", err)
	}
	served, err := resourceconfig.MergeAPIResourceConfigs(served, f.runtimeConfig, legacyscheme.Scheme)
	if err != nil {
		return nil, fmt.Errorf("flag runtime-config of kube-apiserver: %w", err)
	}
	return served, nil
}

// servesSome reports whether single resources of a group version are turned on.
func servesSome(c *serverstorage.ResourceConfig, gv schema.GroupVersion) bool {
	for resource, enabled := range c.ResourceConfigs {
		if enabled && resource.GroupVersion() == gv {
			return true
		}
	}
	return false
}
