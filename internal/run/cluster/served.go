package cluster

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/run/input"
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

var _ Simulated = (*server.Server)(nil)

// newSimulated makes one of a cluster; like is a server of its flags. The shortcut is a
// decorator: without it, the answers are the same.
func newSimulated(like *server.Server, cluster server.Options) (Simulated, error) {
	s, err := like.With(cluster)
	if err != nil {
		return nil, err
	}
	return fastapply.Around(s), nil
}

// Served are the kinds that the server of a run serves.
type Served struct {
	Server Simulated
	// Base is a server of the same flags that nothing is given to.
	Base *server.Server
	// Schema says what is done about kinds that nothing given defines.
	Schema engine.SchemaPolicy
}

// Misfit is the error of a live object by whose assumed merge schema nothing may be
// planned: its managed fields contradict it, or a schema is required. It is nil where
// no schema is assumed.
func (s *Served) Misfit(kind schema.GroupVersionKind, object map[string]any) error {
	if !s.assumes(kind) {
		return nil
	}
	if err := engine.Contradicted(kind.GroupKind(), object); err != nil {
		return withDefinition(err)
	}
	return s.Undefined(kind)
}

// Undefined is the error of a kind that nothing given defines where a schema is
// required.
func (s *Served) Undefined(kind schema.GroupVersionKind) error {
	if !s.assumes(kind) {
		return nil
	}
	return withDefinition(s.Schema.Refuse(kind.GroupKind()))
}

// Unserved is the error of a live object at an API version that the server does not
// serve, whatever definition is given; nil elsewhere.
func (s *Served) Unserved(kind schema.GroupVersionKind) error {
	if s.Server.Resource(kind).Known || s.assumes(kind) {
		return nil
	}
	text := fmt.Sprintf("the live object is at API version %s, which the server does not serve", kind.GroupVersion())
	if as := s.ServedAs(kind); as != "" {
		text += ": fetch it as " + as
	}
	return errors.New(text)
}

// assumes reports whether nothing given defines a kind, and a definition could. None
// could add to the server's own kinds: of one that is not served, that is the answer.
func (s *Served) assumes(kind schema.GroupVersionKind) bool {
	return s.Server.Types(kind).Deduced && strings.Contains(kind.Group, ".") && s.ServedAs(kind) == ""
}

// ServedAs is another API version that a kind is served at; empty for none.
func (s *Served) ServedAs(kind schema.GroupVersionKind) string {
	return api.ServedAs(kind, func(k schema.GroupVersionKind) bool { return s.Server.Resource(k).Known })
}

// withDefinition says how the definition is given that an answer lacks.
func withDefinition(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: give its CustomResourceDefinition with --crds", err)
}

// Shape is that of the object's merge type. It is zero for an unknown kind, whose
// entries show how its lists are split.
func (s *Served) Shape(o *live.Object) managedfields.Shape {
	return s.shapeOf(input.KindOf(o.Identity))
}

func (s *Served) shapeOf(kind schema.GroupVersionKind) managedfields.Shape {
	t := s.Server.Types(kind)
	if t.Deduced {
		return managedfields.Shape{}
	}
	return managedfields.ShapeOf(t.ParseableType)
}

// canScale reports whether an object has a scale subresource.
func (s *Served) canScale(o *live.Object) bool {
	return slices.Contains(s.Server.Resource(input.KindOf(o.Identity)).Subresources, "scale")
}

// Matches reports whether a name means an object: by its kind, or by its resource in the
// plural, the singular or short.
func (s *Served) Matches(n input.ObjectName, o manifest.Identity) bool {
	if n.Name != "" && n.Name != o.Name || !n.InGroup(o.Group()) {
		return false
	}
	resource := s.Server.Resource(input.KindOf(o))
	return strings.EqualFold(n.Kind, o.Kind) || strings.EqualFold(n.Kind, resource.Resource) ||
		slices.ContainsFunc(resource.Names, func(name string) bool { return strings.EqualFold(n.Kind, name) })
}

// misnaming finds live objects whose group or kind is not written as any API server does,
// and that may be what a manifest means: passed over, the object would count as absent.
type misnaming struct {
	served interface {
		Kinds() []schema.GroupVersionKind
	}
	scope *Scope
	// manifests are the kinds of the manifests, which the server may not know.
	manifests []manifest.Document
	// matters reports whether an object of an identity is asked about.
	matters func(manifest.Identity) bool
	meant   map[schema.GroupVersionKind]schema.GroupVersionKind
}

// wrong is the error of such an object; nil for all others.
func (m *misnaming) wrong(id manifest.Identity) error {
	kind := input.KindOf(id)
	meant, asked := m.meant[kind]
	if !asked {
		meant = m.find(kind)
		m.meant[kind] = meant
	}
	if meant.Empty() {
		return nil
	}
	if meant == kind {
		return fmt.Errorf("is a %s, and no object: give objects, as kubectl get -o yaml --show-managed-fields writes them", kind.Kind)
	}
	as := id
	if as.APIVersion, as.Kind = meant.GroupVersion().String(), meant.Kind; !m.matters(as) {
		return nil
	}
	return fmt.Errorf("has apiVersion %q and kind %q, which the API server does not have: did you mean apiVersion %s and kind %s?", id.APIVersion, id.Kind, as.APIVersion, as.Kind)
}

// find is the kind that is meant by one that is not served: itself where it is none of
// objects, empty for none. Groups without a dot are the server's own.
func (m *misnaming) find(kind schema.GroupVersionKind) schema.GroupVersionKind {
	if kind.Group == "meta.k8s.io" || kind.Group == "" && kind.Kind == "List" {
		return kind
	}
	if m.scope.served.Resource(kind).Known {
		return schema.GroupVersionKind{}
	}
	kinds := m.served.Kinds()
	for _, d := range m.manifests {
		kinds = append(kinds, input.KindOf(d.Identity))
	}
	var meant schema.GroupVersionKind
	group, name := strings.TrimSpace(kind.Group), strings.TrimSpace(kind.Kind)
	for _, k := range kinds {
		switch {
		case k.GroupKind() == kind.GroupKind():
			return schema.GroupVersionKind{}
		case !strings.EqualFold(name, k.Kind) && !strings.EqualFold(name, m.scope.served.Resource(k).Resource):
		case strings.EqualFold(k.Group, group):
			return schema.GroupVersionKind{Group: k.Group, Version: kind.Version, Kind: k.Kind}
		case !strings.Contains(group, "."):
			meant = k
		}
	}
	return meant
}
