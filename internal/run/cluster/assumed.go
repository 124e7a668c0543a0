package cluster

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Misfit is the error of a live object by whose assumed merge schema nothing may be
// planned: its managed fields contradict it, or a schema is required. It is nil where
// no schema is assumed.
func (c *Cluster) Misfit(kind schema.GroupVersionKind, object map[string]any) error {
	if !c.assumes(kind) {
		return nil
	}
	if err := engine.Contradicted(kind.GroupKind(), object); err != nil {
		return withDefinition(err)
	}
	return withDefinition(c.schema.Refuse(kind.GroupKind()))
}

// Unserved is the error of a live object at an API version that the server does not
// serve, whatever definition is given; nil elsewhere.
func (c *Cluster) Unserved(kind schema.GroupVersionKind) error {
	if c.Server.Resource(kind).Known || c.assumes(kind) {
		return nil
	}
	text := fmt.Sprintf("the live object is at API version %s, which the server does not serve", kind.GroupVersion())
	if as := c.ServedAs(kind); as != "" {
		text += ": fetch it as " + as
	}
	return errors.New(text)
}

// Undefined is the error of a kind that nothing given defines where a schema is
// required.
func (c *Cluster) Undefined(kind schema.GroupVersionKind) error {
	if !c.assumes(kind) {
		return nil
	}
	return withDefinition(c.schema.Refuse(kind.GroupKind()))
}

// assumes reports whether nothing given defines a kind, and a definition could. None
// could add to the server's own kinds: of one that is not served, that is the answer.
func (c *Cluster) assumes(kind schema.GroupVersionKind) bool {
	return c.Server.Types(kind).Deduced && strings.Contains(kind.Group, ".") && c.ServedAs(kind) == ""
}

// ServedAs is another API version that a kind is served at; empty for none.
func (c *Cluster) ServedAs(kind schema.GroupVersionKind) string {
	return api.ServedAs(kind, func(k schema.GroupVersionKind) bool { return c.Server.Resource(k).Known })
}

// withDefinition says how the definition is given that an answer lacks.
func withDefinition(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: give its CustomResourceDefinition with --crds", err)
}

// Unanswerable says why a pair has no answer; nil when it has one.
func (c *Cluster) Unanswerable(p Pair) error {
	if p.Err == nil && p.Document.Name == "" {
		return Nameless(p.Document)
	}
	return p.Err
}

// misnaming finds live objects whose group or kind is not written as any API server does,
// and that may be what a manifest means: passed over, the object would count as absent.
type misnaming struct {
	served interface {
		Kinds() []schema.GroupVersionKind
	}
	scope *scope
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
	if m.scope.server.Resource(kind).Known {
		return schema.GroupVersionKind{}
	}
	kinds := m.served.Kinds()
	for _, d := range m.manifests {
		kinds = append(kinds, input.KindOf(d.Identity))
	}
	var meant schema.GroupVersionKind
	group := strings.TrimSpace(kind.Group)
	for _, k := range kinds {
		switch {
		case k.GroupKind() == kind.GroupKind():
			return schema.GroupVersionKind{}
		case !m.named(kind.Kind, k):
		case strings.EqualFold(k.Group, group):
			return schema.GroupVersionKind{Group: k.Group, Version: kind.Version, Kind: k.Kind}
		case !strings.Contains(group, "."):
			meant = k
		}
	}
	return meant
}

// named reports whether a text is the name of a kind in any spelling.
func (m *misnaming) named(text string, kind schema.GroupVersionKind) bool {
	text = strings.TrimSpace(text)
	return strings.EqualFold(text, kind.Kind) || strings.EqualFold(text, m.scope.server.Resource(kind).Resource)
}
