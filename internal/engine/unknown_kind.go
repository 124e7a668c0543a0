package engine

import (
	"fmt"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/server/api"
)

// SchemaPolicy says what is done about a kind that nothing given defines.
type SchemaPolicy string

const (
	// AssumeSchema answers by the merge schema that the server deduces: every key
	// is a field of its own, every list atomic.
	AssumeSchema SchemaPolicy = ""
	// RequireSchema gives no answer.
	RequireSchema SchemaPolicy = "Require"
)

// misfit is the error where a schema is assumed although it is required, or although
// managed fields contradict it; nil elsewhere and for deletes.
func (s *simulation) misfit(a answer) error {
	if !s.kind.Deduced || s.notServed(a) || s.write.Verb == api.Delete {
		return nil
	}
	kind := s.write.Kind.GroupKind()
	s.prepare()
	if err := Contradicted(kind, s.write.LiveObject); err != nil {
		return err
	}
	return s.write.Schema.Refuse(kind)
}

// Refuse is the error of a kind that nothing given defines where a schema is
// required; nil elsewhere.
func (p SchemaPolicy) Refuse(kind schema.GroupKind) error {
	if p != RequireSchema {
		return nil
	}
	return fmt.Errorf("no definition of %s is given, and a schema is required", kind)
}

// Contradicted is the error where the managed fields of a live object contradict the
// deduced merge schema of its undefined kind; nil elsewhere.
func Contradicted(kind schema.GroupKind, live map[string]any) error {
	found := contradictions(managedfields.Of(live), live)
	if len(found) == 0 {
		return nil
	}
	return fmt.Errorf(
		"no definition of %s is given, and the managed fields show that %s %s in the cluster, which is not what would be assumed",
		kind,
		found[0].path,
		found[0].is,
	)
}

// contradiction is a field that is in the cluster what no deduced schema makes it.
type contradiction struct {
	path fieldpath.Path
	is   string
}

// contradictions are the fields that managed fields show with another schema than the
// deduced one, sorted by path: keyed list items, and maps whose keys have no owner.
// metadata has the same schema in every kind.
func contradictions(owners managedfields.Owners, live map[string]any) []contradiction {
	var out []contradiction
	all := owners.Set()
	for _, owned := range owners.Paths() {
		if name := owned.Path[0].FieldName; name != nil && *name == "metadata" {
			continue
		}
		if c, ok := contradictionOf(owned.Path, all, live); ok {
			out = append(out, c)
		}
	}
	return out
}

func contradictionOf(path fieldpath.Path, all *fieldpath.Set, live map[string]any) (contradiction, bool) {
	for i, element := range path {
		switch {
		case element.Key != nil:
			return contradiction{path[:i], "has keyed list items"}, true
		case element.Value != nil:
			return contradiction{path[:i], "is a set"}, true
		case element.Index != nil:
			return contradiction{path[:i], "has list items with owners of their own"}, true
		}
	}
	for _, value := range managedfields.Lookup(live, path) {
		if m, ok := value.(map[string]any); ok && len(m) > 0 && managedfields.Below(all, path).Empty() {
			return contradiction{path, "is an atomic map"}, true
		}
	}
	return contradiction{}, false
}

// notServed reports whether the server lacks the kind, and no CustomResourceDefinition can
// define it: that needs a dot in the group, and no built-in group.
func (s *simulation) notServed(a answer) bool {
	if !s.kind.Deduced {
		return false
	}
	anew := s.write.Subresource == "" && (s.write.Verb == api.Apply || s.write.Verb == api.Create)
	return !strings.Contains(s.write.Kind.Group, ".") || a.Code == http.StatusNotFound && (anew || s.served.as() != "")
}

// Unserved says what may be meant by a kind that the server does not serve, whatever
// definition is given; empty for others.
func Unserved(server api.Server, kind schema.GroupVersionKind) string {
	if !server.Resource(kind).Unserved {
		return ""
	}
	return served{server, kind}.mistaken()
}

// served is a server, asked how it serves a kind.
type served struct {
	server api.Server
	kind   schema.GroupVersionKind
}

// as is another API version that the kind is served at; empty for none.
func (s served) as() string {
	return api.ServedAs(s.kind, func(k schema.GroupVersionKind) bool { return s.server.Resource(k).Known })
}

// mistaken reports what may be meant by a kind that is not served.
func (s served) mistaken() string {
	kind := s.kind
	as, removed, unestablished := s.as(), "", s.server.Resource(kind).Unestablished
	if server, ok := s.server.(api.Lifecycle); ok {
		removed = server.RemovedIn(kind)
	}
	switch {
	case unestablished != "":
		return unestablished + ": the server serves no " + kind.Kind
	case as != "" && removed != "":
		return kind.Kind + " is served as " + as + "; Kubernetes " + removed + " removed " + kind.GroupVersion().String()
	case as != "":
		return kind.Kind + " is served as " + as + ", and not as " + kind.GroupVersion().String()
	case removed != "":
		return "Kubernetes " + removed + " removed " + kind.Kind + " of " + kind.GroupVersion().String()
	}
	text := "no kind " + kind.Kind + " is served as " + kind.GroupVersion().String()
	var meant []string
	if server, ok := s.server.(api.Alike); ok {
		for _, k := range server.Alike(kind) {
			meant = append(meant, k.Kind+" of "+k.GroupVersion().String())
		}
	}
	if len(meant) == 0 {
		return text
	}
	return text + "; did you mean " + strings.Join(meant, " or ") + "?"
}

// lacks reports whether the server does not know this kind at the version.
// Of a kind that it does not know at all nothing can be said.
func (s served) lacks(apiVersion string) bool {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || gv == s.kind.GroupVersion() || !s.server.Resource(s.kind).Known {
		return false
	}
	return !s.server.Resource(gv.WithKind(s.kind.Kind)).Known
}

// dropped says how the server treats an entry at an unserved version: the field
// manager handles it as a kind without a type, or still converts it.
func (s served) dropped() string {
	if s.server.Resource(s.kind).Custom {
		return "it counts as long as the CustomResourceDefinition still has that version, and else stands in the way of every apply"
	}
	return "it drops the entry"
}
