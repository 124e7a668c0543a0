package server

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	serverstorage "k8s.io/apiserver/pkg/server/storage"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/faithful"
	"github.com/ssactl/ssactl/internal/server/memory"
)

// catalog finds what serves a kind: the groups of kube-apiserver, of its apiextensions
// server and of its aggregator. A group's storages are built when one of its kinds is first
// asked for, since one apply needs one group.
type catalog struct {
	flags      flags
	types      *faithful.TypeConverter
	path       Path
	options    memory.BuiltinOptions
	resources  *serverstorage.ResourceConfig
	expiration genericapiserver.ResourceExpirationEvaluator
	providers  map[string]provider
	// equivalents are the resources that share a storage.
	equivalents runtime.EquivalentResourceRegistry

	mu sync.Mutex
	// groups give the kinds of each API group.
	groups map[string]func() (servedKinds, error)
}

// servedKinds are the kinds of a group.
type servedKinds = map[schema.GroupVersionKind]*resource

type resource struct {
	gvr schema.GroupVersionResource
	// names are the singular and the short names.
	names      []string
	namespaced bool
	// endpoints by subresource; the main resource is "".
	endpoints map[string]*endpoint
	// subresources are their names, sorted.
	subresources []string
}

func newCatalog(f flags, path Path) (*catalog, error) {
	c := &catalog{flags: f, path: path, groups: map[string]func() (servedKinds, error){}}
	var err error
	if c.resources, err = f.resources(); err != nil {
		return nil, err
	}
	if c.options.Factory, err = memory.NewStorageFactory(c.resources); err != nil {
		return nil, err
	}
	if c.expiration, err = genericapiserver.NewResourceExpirationEvaluator(emulation(f.release)); err != nil {
		return nil, err
	}
	if c.types, err = faithful.NewTypeConverter(f.release, c.serves); err != nil {
		return nil, err
	}
	c.providers = c.table()
	c.equivalents = runtime.NewEquivalentResourceRegistryWithIdentity(storagePrefix)
	for _, gv := range []schema.GroupVersion{corev1.SchemeGroupVersion, eventsv1.SchemeGroupVersion} {
		c.equivalents.RegisterKindFor(gv.WithResource("events"), "", gv.WithKind("Event"))
	}
	return c, nil
}

// storagePrefix is that of resources of several groups; empty for all others.
func storagePrefix(resource schema.GroupResource) string {
	if memory.Cohabit(resource, schema.GroupResource{Resource: "events"}) {
		return "events"
	}
	return ""
}

// find gives the resource that serves a built-in kind; nil when none does.
func (c *catalog) find(kind schema.GroupVersionKind) (*resource, error) {
	if !c.builtinGroup(kind.Group) {
		return nil, nil
	}
	c.mu.Lock()
	kinds, ok := c.groups[kind.Group]
	if !ok {
		kinds = api.OnceGuarded(func() (servedKinds, error) { return c.build(kind.Group) })
		c.groups[kind.Group] = kinds
	}
	c.mu.Unlock()
	served, err := kinds()
	return served[kind], err
}

// builtinGroup reports whether kube-apiserver itself serves the group, in any version.
func (c *catalog) builtinGroup(name string) bool {
	_, ok := c.providers[name]
	return ok
}

func (c *catalog) build(name string) (servedKinds, error) {
	info, err := c.group(name)
	if err != nil {
		return nil, err
	}
	kinds := servedKinds{}
	for _, gv := range info.PrioritizedVersions {
		storages := info.VersionedResourcesStorageMap[gv.Version]
		if err := c.addVersion(kinds, info, gv, storages); err != nil {
			return nil, fmt.Errorf("serve %s: %w", gv, err)
		}
	}
	return kinds, nil
}

func (c *catalog) addVersion(
	kinds servedKinds, info genericapiserver.APIGroupInfo,
	gv schema.GroupVersion, storages map[string]rest.Storage,
) error {
	for path, storage := range storages {
		name, subresource, isSubresource := strings.Cut(path, "/")
		if isSubresource || subresource != "" {
			continue
		}
		kind, err := endpoints.GetResourceKind(gv, storage, info.Scheme)
		if err != nil {
			return err
		}
		r := &resource{
			gvr:       gv.WithResource(name),
			names:     otherNames(storage),
			endpoints: map[string]*endpoint{},
		}
		if scoper, ok := storage.(rest.Scoper); ok {
			r.namespaced = scoper.NamespaceScoped()
		}
		kinds[kind] = r
		for path, storage := range storages {
			main, subresource, _ := strings.Cut(path, "/")
			if main != name {
				continue
			}
			e, err := c.newEndpoint(info, r, subresource, storage)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			r.endpoints[subresource] = e
			if storagePrefix(r.gvr.GroupResource()) == "" {
				c.equivalents.RegisterKindFor(r.gvr, subresource, e.scope.Kind)
			}
		}
		// The first name is the empty one of the main resource.
		r.subresources = slices.Sorted(maps.Keys(r.endpoints))[1:]
	}
	return nil
}

// otherNames are the names of a storage in discovery besides its path.
func otherNames(storage rest.Storage) []string {
	var names []string
	if s, ok := storage.(rest.SingularNameProvider); ok && s.GetSingularName() != "" {
		names = append(names, s.GetSingularName())
	}
	if s, ok := storage.(rest.ShortNamesProvider); ok {
		names = append(names, s.ShortNames()...)
	}
	return names
}
