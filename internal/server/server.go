package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"

	"github.com/ssactl/ssactl/internal/pool"
	admit "github.com/ssactl/ssactl/internal/server/admission"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/custom"
	"github.com/ssactl/ssactl/internal/server/faithful"
	"github.com/ssactl/ssactl/internal/server/given"
)

// Options say which server is run.
type Options struct {
	// KubernetesVersion is a minor version, such as "1.36"; empty means the newest. The
	// first New of a process decides. A patch release also says what the cluster runs.
	KubernetesVersion string
	// ClusterVersion is what the cluster runs, such as "v1.36.1"; empty if unknown. Without
	// KubernetesVersion its minor version is simulated if possible; else answers say so.
	ClusterVersion string
	// Preset names a distribution whose flags are the defaults: see Presets.
	// Empty means none.
	Preset string
	// Flags are flags of kube-apiserver, each as name=value: see Flags. Those
	// that hold for the whole process (allow-privileged) the first New decides.
	Flags []string
	// CRDs are CustomResourceDefinitions as JSON; of several of one kind the last counts.
	// Each is read when its kind is first asked about; unreadable ones define nothing.
	CRDs [][]byte
	// Definitions gives CustomResourceDefinitions as JSON that may define a kind, and
	// possibly others. It is asked once for each kind; they count before CRDs. Nil gives
	// none.
	Definitions func(schema.GroupKind) [][]byte
	// Objects are other objects of the cluster, as JSON, that admission
	// plug-ins look up (PriorityClasses, for one).
	Objects [][]byte
	// Namespaces are names of namespaces that exist, whether Objects has them or
	// not: those of live objects.
	Namespaces []string
	// Listed are the kinds whose objects are all in Objects.
	Listed []api.Listed
	// LookedFor says where the objects of Listed and Objects are from, such as "in
	// dump.yaml"; empty for nowhere.
	LookedFor string
	// Path says which shortcuts are taken; it never changes an answer.
	Path Path
	// Disguise finds the values of Secrets: what policies make of them is masked in
	// messages, and named in Response.Derived. Nil has everything shown.
	Disguise api.Disguise
	// Watch is called with each call before it is answered, maybe for several at once; nil for
	// none. Tests ask a real server the same. Servers that With makes have it too.
	Watch func(*Server, api.Request)
}

// Path says how much of the server's code an answer takes.
type Path string

const (
	// ShortPath takes every shortcut that is proved to give the same answer.
	ShortPath Path = ""
	// FullPath takes none. Tests compare the two.
	FullPath Path = "full"
)

// Server is an API server in this process. It is safe for concurrent use.
type Server struct {
	flags
	catalog *catalog
	types   *faithful.TypeConverter
	// placeholderPorts are given for node ports.
	placeholderPorts utilnet.PortRange
	disguise         api.Disguise
	watch            func(*Server, api.Request)
	// runs are the versions of the cluster, as far as they are known.
	runs []clusterVersion
	// custom and admit are those of one cluster.
	custom *custom.Resources
	admit  *admit.Chain
}

// allow lets the requester do everything.
var allow = authorizerfactory.NewAlwaysAllowAuthorizer()

var _ api.Server = (*Server)(nil)

// New makes a server. It is cheap: storages and schemas are built at first use.
func New(opts Options) (*Server, error) {
	return api.Guarded(func() (*Server, error) {
		silence()
		r, runs, err := opts.version()
		if err != nil {
			return nil, err
		}
		s := &Server{disguise: opts.Disguise, watch: opts.Watch, runs: runs}
		if s.flags, err = newFlags(opts.Preset, opts.Flags); err != nil {
			return nil, err
		}
		s.release = r
		if err := s.start(); err != nil {
			return nil, err
		}
		if s.catalog, err = newCatalog(s.flags, opts.Path); err != nil {
			return nil, err
		}
		s.types, s.placeholderPorts = s.catalog.types, faithful.NewPlaceholderPorts(s.nodePorts).Placeholders
		return s.With(opts)
	})
}

// With is a server of the same version, flags and path for another cluster: it reads CRDs,
// Definitions, Objects, Namespaces, Listed and LookedFor of the options. Both servers share
// the storages and schemas of built-in kinds.
func (s *Server) With(opts Options) (*Server, error) {
	return api.Guarded(func() (*Server, error) {
		next := *s
		objects := given.New(opts.Objects, opts.Namespaces...)
		objects.Check, objects.Disguise = s.types.CheckQuantities, s.disguise
		objects.Listed, objects.LookedFor = sets.New(opts.Listed...), opts.LookedFor
		settings := admit.Settings{Plugins: s.plugins, Distribution: s.distribution.Name, Configured: s.configured}
		var err error
		if next.admit, err = admit.New(objects, &next, settings, allow); err != nil {
			return nil, err
		}
		next.custom = custom.New(opts.CRDs, opts.Definitions, next.admit, allow)
		return &next, nil
	})
}

// Prepare builds what serves a built-in kind, so that the first call need not. It may run
// during any call, to this server or to one that With gives.
func (s *Server) Prepare(kind schema.GroupVersionKind) {
	// The first call has the error again.
	_, _ = s.catalog.find(kind)
	s.types.Find(kind)
}

// Version is the Kubernetes version whose behavior is simulated, as "v1.36.3".
func (s *Server) Version() string { return s.release.String() }

// Learn adds an object to the cluster, or replaces it: what an earlier write of the run
// stored. No call may run meanwhile.
func (s *Server) Learn(object []byte) { s.admit.Given.Add(object) }

// Define replaces a CustomResourceDefinition by one that an earlier write of the run
// stored. No call may run meanwhile.
func (s *Server) Define(crd []byte) error { return s.custom.Redefine(crd) }

// Forget takes an object out of that cluster.
func (s *Server) Forget(kind schema.GroupKind, namespace, name string) {
	s.admit.Given.Remove(kind, namespace, name)
}

// LackNamespace says of a namespace that it does not exist.
func (s *Server) LackNamespace(name string) { s.admit.Given.Lacks.Insert(name) }

// LackKind says of a kind that no CustomResourceDefinition defines that none does.
func (s *Server) LackKind(kind schema.GroupKind) { s.custom.Lacks.Insert(kind) }

// Counts reports whether ResourceQuotas count what is written to a namespace: then
// each answer depends on those before it.
func (s *Server) Counts(namespace string) bool {
	return namespace != "" && len(s.admit.Given.Quotas(namespace)) > 0
}

// answerLimit is the processor time of one call. A server gives up after 34 seconds;
// here an answer takes milliseconds, but for hostile values.
const answerLimit = 10 * time.Second

// errDeadline is no answer of the API server of a cluster.
var errDeadline = errors.New("no answer within the 34 seconds of the server's own deadline: this machine is too busy")

// Do answers one call. A panic of the server's code comes back as an error, and
// so does a call that takes longer than answerLimit.
func (s *Server) Do(ctx context.Context, call api.Request) (api.Response, error) {
	if s.watch != nil {
		s.watch(s, call)
	}
	return api.Guarded(func() (api.Response, error) { return s.do(ctx, call) })
}

func (s *Server) do(ctx context.Context, call api.Request) (api.Response, error) {
	if err := s.types.CheckQuantities(call.Kind, call.Body, call.Live); err != nil {
		return api.Response{}, err
	}
	ctx, done := pool.Limited(ctx, answerLimit)
	defer done()
	response, err := faithful.AtTime(call, func(call api.Request) (api.Response, error) {
		return s.serve(ctx, call)
	})
	if late := (*pool.LimitError)(nil); errors.As(context.Cause(ctx), &late) {
		return api.Response{}, late
	}
	if response.Code == http.StatusGatewayTimeout {
		// The deadline is that of the handlers, by the clock of this machine.
		return api.Response{}, errDeadline
	}
	response.Unsimulated = append(response.Unsimulated, s.serviceCaveats(call, response)...)
	if response.Code >= http.StatusMultipleChoices {
		// A refusal leaves the live object as it was, to the byte.
		response.Stored = call.Live
	}
	return response, err
}

// Resource reports how a kind is served.
func (s *Server) Resource(kind schema.GroupVersionKind) api.Resource {
	r, err := s.catalog.find(kind)
	if err == nil && r != nil {
		return api.Resource{
			Known:        true,
			Resource:     r.gvr.Resource,
			Names:        r.names,
			Namespaced:   r.namespaced,
			Subresources: r.subresources,
		}
	}
	resource := s.custom.Resource(kind)
	resource.Unserved = !resource.Known &&
		(resource.Custom || s.catalog.builtinGroup(kind.Group) || !s.custom.MayServe(kind))
	return resource
}

// Types gives the merge type of a kind.
func (s *Server) Types(kind schema.GroupVersionKind) api.Type {
	if t, ok := s.types.Find(kind); ok {
		return api.Type{ParseableType: t}
	}
	return s.custom.TypeOf(kind)
}

// TypeConverter implements servedKinds.
func (s *Server) TypeConverter(kind schema.GroupVersionKind) managedfields.TypeConverter {
	if _, ok := s.types.Find(kind); ok {
		if !s.Resource(kind).Known {
			// The document of an API version has only the kinds of its own resources, no Scale
			// or Eviction.
			return s.types.None
		}
		return s.types
	}
	if t := s.custom.TypeOf(kind); s.Resource(kind).Known && !t.Deduced {
		return faithful.KindConverter{ParseableType: t.ParseableType}
	}
	return nil
}
