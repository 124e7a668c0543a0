package cluster

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Scope fills in namespaces as kubectl does: documents without one go to the
// namespace of the command line, or to "default".
type Scope struct {
	served interface {
		Resource(schema.GroupVersionKind) api.Resource
	}
	namespace string
	// strict refuses documents of another namespace.
	strict bool
}

// NamespaceOf is the namespace of the request for a document; empty for
// cluster-scoped kinds. A kind that nothing defines is taken to be what the
// document says.
func (s *Scope) NamespaceOf(id manifest.Identity) string {
	resource := s.served.Resource(input.KindOf(id))
	switch {
	case resource.Known && !resource.Namespaced:
		return ""
	case id.Namespace != "":
		return id.Namespace
	case !resource.Known && s.namespace == "":
		return ""
	case s.namespace != "":
		return s.namespace
	}
	return "default"
}

// Key is that of the object of a document, in the namespace of the request.
func (s *Scope) Key(id manifest.Identity) live.Key {
	key := live.KeyOf(id)
	key.Namespace = s.NamespaceOf(id)
	return key
}

// knows reports whether anything given defines the kind of a document.
func (s *Scope) knows(id manifest.Identity) bool { return s.served.Resource(input.KindOf(id)).Known }

// InNamespace reports whether an object is in the namespace of the command line. As with
// kubectl, it is ignored for an object without a namespace that an argument names.
func (s *Scope) InNamespace(k live.Key, wanted []input.ObjectName) bool {
	return s.namespace == "" || k.Namespace == s.namespace || k.Namespace == "" && len(wanted) > 0
}

// OfNamespace is --namespace in the words of a message; empty without it.
func (s *Scope) OfNamespace() string {
	if s.namespace == "" {
		return ""
	}
	return fmt.Sprintf(" in the namespace %q", s.namespace)
}

// conflicting refuses, as kubectl does where it is asked to be strict, a document
// of another namespace than the one of the command line; cluster-scoped kinds have
// none.
func (s *Scope) conflicting(id manifest.Identity) error {
	if s.strict && s.elsewhere(id) {
		return fmt.Errorf("the manifest is of namespace %q, but --namespace is %q", id.Namespace, s.namespace)
	}
	return nil
}

// elsewhere reports whether a document is of another namespace than the one of the
// command line.
func (s *Scope) elsewhere(id manifest.Identity) bool {
	if resource := s.served.Resource(input.KindOf(id)); resource.Known && !resource.Namespaced {
		return false
	}
	return s.namespace != "" && id.Namespace != "" && id.Namespace != s.namespace
}

// noteElsewhere says once which namespaces of their own manifests have, as Helm and
// Argo CD apply them there.
func (c *Cluster) noteElsewhere() {
	found := map[string]bool{}
	n := 0
	for _, document := range c.Manifests {
		if !c.strict && c.isWanted(document.Identity) && c.Scope.elsewhere(document.Identity) {
			found[document.Namespace] = true
			n++
		}
	}
	if n == 0 {
		return
	}
	noun := "manifest names a namespace of its own"
	if n > 1 {
		noun = "manifests name namespaces of their own"
	}
	c.Notices = append(c.Notices, fmt.Sprintf("%d %s (%s): each is answered in its own, and -n %s is for those without one; --namespace-strict refuses them, as kubectl does",
		n, noun, strings.Join(slices.Sorted(maps.Keys(found)), ", "), c.namespace))
}

// NoteNamespaces says once which namespaces are taken to exist: something would be
// created in them, which no manifest makes, and no live object is in them. With any
// Namespace that is live the server judges, and refuses.
func (c *Cluster) NoteNamespaces(pairs []Pair) {
	is := func(o *live.Object) bool { return isNamespace(o.Identity) }
	if c.absent == nil || slices.ContainsFunc(c.Live.Kept(), is) || slices.ContainsFunc(slices.Collect(c.Live.All()), is) ||
		slices.ContainsFunc(c.Definitions, func(d manifest.Document) bool { return isNamespace(d.Identity) }) {
		return
	}
	known := maps.Clone(c.absent.namespaces)
	for _, d := range c.Manifests {
		if isNamespace(d.Identity) {
			known[d.Name] = true
		}
	}
	presumed := map[string]bool{}
	for _, p := range pairs {
		name := p.Key.Namespace
		if p.Live == nil && p.Err == nil && name != "" && !known[name] && !server.MakesNamespace(name) {
			presumed[name] = true
		}
	}
	if len(presumed) == 0 {
		return
	}
	text := "namespace %s is taken to exist: no Namespace is given, and no live object in it"
	if len(presumed) > 1 {
		text = "namespaces %s are taken to exist: no Namespace is given, and no live object in them"
	}
	c.Notices = append(c.Notices, fmt.Sprintf(text, strings.Join(slices.Sorted(maps.Keys(presumed)), ", ")))
}

func isNamespace(id manifest.Identity) bool { return id.APIVersion == "v1" && id.Kind == "Namespace" }
