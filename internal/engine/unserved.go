package engine

import (
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
)

// notServed reports whether the server does not have the kind, and nothing that was
// left out could define it: a CustomResourceDefinition needs a dot in its group, and
// cannot add to the server's own groups. What the server answers then is its answer.
func (s *simulation) notServed(a answer) bool {
	if !s.kind.Deduced {
		return false
	}
	anew := s.write.Subresource == "" && (s.write.Verb == api.Apply || s.write.Verb == api.Create)
	return !strings.Contains(s.write.Kind.Group, ".") || a.Code == http.StatusNotFound && (anew || s.servedAs() != "")
}

// servedAs is another API version that the kind is served at; empty for none.
func (s *simulation) servedAs() string {
	return api.ServedAs(s.write.Kind, func(k schema.GroupVersionKind) bool { return s.server.Resource(k).Known })
}

// removedIn is the release that removed the kind at this version; empty for none
// that is known.
func (s *simulation) removedIn() string {
	if server, ok := s.server.(api.Lifecycle); ok {
		return server.RemovedIn(s.write.Kind)
	}
	return ""
}

// mistaken reports what may be meant by a kind that is not served.
func (s *simulation) mistaken() string {
	kind := s.write.Kind
	as, removed, unestablished := s.servedAs(), s.removedIn(), s.server.Resource(kind).Unestablished
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
