package load

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/storage"

	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/serve/store"
	"github.com/ssactl/ssactl/internal/serve/wire"
)

// encoding is one pass over a dump.
type encoding struct {
	storages Storages
	options  map[schema.GroupResource]generic.RESTOptions
	defined  map[schema.GroupKind]definition
	known    map[string]bool // namespaces that there are; false for one that is being deleted
	needed   map[string]bool // those of objects
	ips      map[string]bool // addresses with an IPAddress
	accounts bool            // namespaces have their default ServiceAccount
	pairs    []store.Preloaded
	values   store.Packer
	loaded   *wire.Loaded
}

// Encode gives the keys of a dump, the newest first, and what became of it. Objects of a new
// cluster that the dump lacks are there too.
func (d *Dump) Encode(storages Storages) ([]store.Preloaded, *wire.Loaded, error) {
	e := &encoding{
		storages: storages, options: map[schema.GroupResource]generic.RESTOptions{},
		defined: map[schema.GroupKind]definition{}, known: map[string]bool{}, needed: map[string]bool{},
		ips: map[string]bool{}, accounts: d.Accounts, loaded: &wire.Loaded{Snapshots: d.snapshots},
	}
	for _, o := range slices.Concat(d.definitions, d.objects) {
		if o.Key.Group == definitionKind.Group && o.Key.Kind == definitionKind.Kind {
			e.load(o, e.define)
		}
	}
	for _, o := range d.objects {
		switch of := schema.FromAPIVersionAndKind(o.APIVersion, o.Kind); {
		case of.GroupKind() == definitionKind:
		case builtIn(of):
			e.load(o, e.typed)
		default:
			e.load(o, e.custom)
		}
	}
	if err := e.complete(); err != nil {
		return nil, nil, err
	}
	slices.SortStableFunc(e.pairs, func(a, b store.Preloaded) int { return cmp.Compare(b.Revision, a.Revision) })
	return e.pairs, e.loaded, nil
}

// load stores an object, or says why it does not.
func (e *encoding) load(o *live.Object, as func(*live.Object) error) {
	if err := guard.Do(func() error { return as(o) }); err != nil {
		e.loaded.Skipped = append(e.loaded.Skipped, wire.Skipped{
			Object: o.Key.String(), Source: o.Source.String(), Reason: err.Error(),
		})
		return
	}
	e.loaded.Objects++
}

// optionsOf are those of the storage of a resource: its codec encodes at the storage version,
// and its prefix says where.
func (e *encoding) optionsOf(
	getter generic.RESTOptionsGetter,
	resource schema.GroupResource,
	example runtime.Object,
) (generic.RESTOptions, error) {
	if o, ok := e.options[resource]; ok {
		return o, nil
	}
	o, err := getter.GetRESTOptions(resource, example)
	if err == nil {
		e.options[resource] = o
	}
	return o, err
}

// put stores an object: with the uid and the time that every stored object has.
func (e *encoding) put(options generic.RESTOptions, object runtime.Object, codec runtime.Encoder) error {
	metadata, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	if metadata.GetUID() == "" {
		metadata.SetUID(uuid.NewUUID())
	}
	if created := metadata.GetCreationTimestamp(); created.IsZero() {
		metadata.SetCreationTimestamp(metav1.Now())
	}
	// A resourceVersion that is no number is of no revision.
	revision, _ := strconv.ParseInt(metadata.GetResourceVersion(), 10, 64)
	if err := (storage.APIObjectVersioner{}).PrepareObjectForStorage(object); err != nil {
		return err
	}
	value, err := runtime.Encode(codec, object)
	if err != nil {
		return err
	}
	if len(value) > maxStored {
		return fmt.Errorf("it has %d bytes, and no API server stores more than %d", len(value), maxStored)
	}
	namespace := metadata.GetNamespace()
	key := path.Join("/registry", options.ResourcePrefix, namespace, metadata.GetName())
	e.pairs = append(e.pairs, store.Preloaded{Key: key, Value: e.values.Pack(value), Revision: revision})
	if namespace != "" {
		e.needed[namespace] = true
	}
	return nil
}

// maxStored is what etcd's client sends at most.
const maxStored = 2 << 20
