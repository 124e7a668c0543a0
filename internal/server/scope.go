package server

import (
	"net/http"
	"reflect"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/endpoints"
	"k8s.io/apiserver/pkg/endpoints/deprecation"
	"k8s.io/apiserver/pkg/endpoints/handlers"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/exchange"
	"github.com/ssactl/ssactl/internal/server/faithful"
	"github.com/ssactl/ssactl/internal/server/memory"
)

// endpoint is one path that a resource or subresource is served at.
type endpoint struct {
	storage rest.Storage
	scope   *handlers.RequestScope
	// applier is the field manager of applies; that of scope is for all other writes.
	applier *managedfields.FieldManager
	// resets are the fields that the strategy lets no manager own through this path.
	resets map[fieldpath.APIVersion]fieldpath.Filter
	// warnings are sent with every answer: deprecations.
	warnings []string
	// lasting reports whether objects of the kind are, if they have no empty lists.
	lasting func() bool
}

// newEndpoint fills a request scope as the API installer does
// (apiserver pkg/endpoints/installer.go).
func (c *catalog) newEndpoint(
	info genericapiserver.APIGroupInfo, r *resource, subresource string, storage rest.Storage,
) (*endpoint, error) {
	gv := r.gvr.GroupVersion()
	kind, err := endpoints.GetResourceKind(gv, storage, info.Scheme)
	if err != nil {
		return nil, err
	}
	scope := &handlers.RequestScope{
		Namer: handlers.ContextBasedNaming{
			Namer:         runtime.Namer(meta.NewAccessor()),
			ClusterScoped: !r.namespaced,
		},
		Serializer:               info.NegotiatedSerializer,
		ParameterCodec:           info.ParameterCodec,
		Creater:                  info.Scheme,
		Convertor:                info.Scheme,
		Defaulter:                info.Scheme,
		Typer:                    info.Scheme,
		UnsafeConvertor:          runtime.UnsafeObjectConvertor(info.Scheme),
		Authorizer:               allow,
		EquivalentResourceMapper: c.equivalents,
		Resource:                 r.gvr,
		Subresource:              subresource,
		Kind:                     kind,
		HubGroupVersion:          schema.GroupVersion{Group: kind.Group, Version: runtime.APIVersionInternal},
		MetaGroupVersion:         metav1.SchemeGroupVersion,
		MaxRequestBodyBytes:      exchange.MaxRequestBytes,
	}
	scope.TableConvertor, _ = storage.(rest.TableConvertor)
	scope.AcceptsGroupVersionDelegate, _ = storage.(rest.GroupVersionAcceptor)
	e := &endpoint{storage: storage, scope: scope, resets: resetFilter(storage)}
	e.lasting = sync.OnceValue(func() bool {
		object, err := info.Scheme.New(kind)
		return err == nil && memory.LastingType(reflect.TypeOf(object), map[reflect.Type]bool{})
	})
	types := c.types.At(gv.Group)
	if scope.FieldManager, err = fieldManager(e, types); err != nil {
		return nil, err
	}
	e.applier = scope.FieldManager
	if c.path != FullPath {
		if e.applier, err = fieldManager(e, types.AsTree()); err != nil {
			return nil, err
		}
	}
	e.warnings, err = c.deprecations(info, kind)
	return e, err
}

func fieldManager(e *endpoint, types *faithful.TypeConverter) (*managedfields.FieldManager, error) {
	s := e.scope
	return managedfields.NewDefaultFieldManager(
		types, s.UnsafeConvertor, s.Defaulter, s.Creater,
		s.Kind, s.HubGroupVersion, s.Subresource, e.resets)
}

// resetFilter gives the fields that the strategy lets no manager own.
func resetFilter(storage rest.Storage) map[fieldpath.APIVersion]fieldpath.Filter {
	switch s := storage.(type) {
	case rest.ResetFieldsStrategy:
		return fieldpath.NewExcludeFilterSetMap(s.GetResetFields())
	case rest.ResetFieldsFilterStrategy:
		return s.GetResetFieldsFilter()
	}
	return nil
}

func (c *catalog) deprecations(info genericapiserver.APIGroupInfo, kind schema.GroupVersionKind) ([]string, error) {
	obj, err := info.Scheme.New(kind)
	if err != nil {
		return nil, err
	}
	obj.GetObjectKind().SetGroupVersionKind(kind)
	if !deprecation.IsDeprecated(obj, 1, c.flags.release.Minor) {
		return nil, nil
	}
	return []string{deprecation.WarningMessage(obj)}, nil
}

// builtinPatchTypes are the media types of patches, in the order in which a
// server names them.
var builtinPatchTypes = []string{
	string(types.JSONPatchType), string(types.MergePatchType),
	string(types.StrategicMergePatchType), string(types.ApplyYAMLPatchType),
}

// handler makes the function that answers one request; nil where the server has no such
// method. Each request needs a new one: upstream's closures assign to what they capture,
// and sharing them would be a data race.
func (e *endpoint) handler(verb api.Verb, method string, admit admission.Interface) http.Handler {
	scope := *e.scope
	if verb == api.Apply {
		scope.FieldManager = e.applier
	}
	switch method {
	case http.MethodPatch:
		if s, ok := e.storage.(rest.Patcher); ok {
			return handlers.PatchResource(s, &scope, admit, builtinPatchTypes)
		}
	case http.MethodPut:
		if s, ok := e.storage.(rest.Updater); ok {
			return handlers.UpdateResource(s, &scope, admit)
		}
	case http.MethodPost:
		if s, ok := e.storage.(rest.NamedCreater); ok {
			return handlers.CreateNamedResource(s, &scope, admit)
		}
		if s, ok := e.storage.(rest.Creater); ok {
			return handlers.CreateResource(s, &scope, admit)
		}
	case http.MethodDelete:
		if s, ok := e.storage.(rest.GracefulDeleter); ok {
			return handlers.DeleteResource(s, true, &scope, admit)
		}
	}
	return nil
}
