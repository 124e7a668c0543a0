package server

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

// Published is what a release of Kubernetes publishes of its built-in kinds. Unlike a
// Server, there can be several releases in a process. It does not know what the code of a
// server does beyond that, such as unpublished defaults.
type Published struct {
	release mergeschema.Release
	schemas *mergeschema.Set
	facts   mergeschema.Facts
}

var _ api.Fields = (*Published)(nil)

// NewPublished is that of a version as people write it; an error names those there are.
func NewPublished(version string) (*Published, error) {
	r, err := releaseOf(version)
	if err != nil {
		return nil, err
	}
	p := &Published{release: r}
	if p.schemas, err = mergeschema.Open(r.Name()); err != nil {
		return nil, err
	}
	p.facts, err = published[r.Name()]()
	return p, err
}

// Version is the release, as "v1.36.3".
func (p *Published) Version() string { return p.release.String() }

// Name is the minor version, as "1.36".
func (p *Published) Name() string { return p.release.Name() }

// notStored are kinds that are answers, or the bodies of requests, and nothing that is
// kept.
var notStored = []string{"Scale", "Eviction", "Binding", "TokenRequest", "TokenReview", "DeleteOptions", "WatchEvent", "Status", "ComponentStatus"}

// Kinds are those of the release, whether a server serves them unasked or not.
func (p *Published) Kinds() []schema.GroupVersionKind {
	out := slices.DeleteFunc(p.schemas.Kinds(), func(kind schema.GroupVersionKind) bool {
		return slices.Contains(notStored, kind.Kind) || strings.HasSuffix(kind.Kind, "Review") || strings.HasSuffix(kind.Kind, "List") || strings.HasSuffix(kind.Kind, "Options")
	})
	slices.SortFunc(out, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) })
	return out
}

// Types gives the merge type of a kind.
func (p *Published) Types(kind schema.GroupVersionKind) api.Type {
	t, ok := p.schemas.Type(kind)
	return api.Type{ParseableType: t, Deduced: !ok}
}

// Resource says of every kind of the release that it is known, and no more.
func (p *Published) Resource(kind schema.GroupVersionKind) api.Resource {
	_, ok := p.schemas.Type(kind)
	return api.Resource{Known: ok}
}

// ResetsField reports false: that is not published.
func (p *Published) ResetsField(schema.GroupVersionKind, string) bool { return false }

// Fields gives what is published of a kind's fields.
func (p *Published) Fields(kind schema.GroupVersionKind) (api.KindFields, error) {
	t, ok := p.schemas.Type(kind)
	if !ok {
		return nil, fmt.Errorf("%s has no %s", p.release, kind)
	}
	return kindFields{merge: t, facts: p.facts, resets: func([]string) bool { return false }}, nil
}
