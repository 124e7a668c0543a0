package schema

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

//go:embed data
var data embed.FS

// Minors lists the embedded minor versions, oldest first, as "1.36".
func Minors() []string {
	var minors []string
	for _, r := range releases {
		minors = append(minors, r.Name())
	}
	return minors
}

// Set is the merge schemas of one minor version. It is safe for concurrent use.
type Set struct {
	blob *blob

	mu    sync.Mutex
	types map[schema.GroupVersionKind]typed.ParseableType
}

// Open gives the merge schemas of a minor version, as "1.36". It decodes none.
func Open(minor string) (*Set, error) {
	raw, err := data.ReadFile("data/" + minor + ".bin")
	if err != nil {
		return nil, fmt.Errorf("no merge schemas of Kubernetes %q: there are %s", minor, strings.Join(Minors(), ", "))
	}
	return Parse(raw)
}

// Parse gives the merge schemas of bytes in the format of this package.
func Parse(raw []byte) (*Set, error) {
	b, err := index(raw)
	if err != nil {
		return nil, err
	}
	return &Set{blob: b, types: map[schema.GroupVersionKind]typed.ParseableType{}}, nil
}

// Type gives the merge type of a kind; false for one that is not built in. The
// kind's types are decoded when it is first asked for, and kept.
func (s *Set) Type(kind schema.GroupVersionKind) (typed.ParseableType, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, ok := s.types[kind]; ok {
		return t, true
	}
	root, ok := s.blob.kinds[kind]
	if !ok {
		return typed.ParseableType{}, false
	}
	t := typed.ParseableType{
		TypeRef: smd.TypeRef{NamedType: &s.blob.names[root]},
		Schema:  &smd.Schema{Types: s.blob.closure(root)},
	}
	s.types[kind] = t
	return t, true
}

// Kinds lists the kinds that have a merge type, sorted by group, version and kind.
func (s *Set) Kinds() []schema.GroupVersionKind {
	kinds := make([]schema.GroupVersionKind, 0, len(s.blob.kinds))
	for kind := range s.blob.kinds {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) })
	return kinds
}
