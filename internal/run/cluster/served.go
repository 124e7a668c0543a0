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
