package schema

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
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

// Release is one Kubernetes release of major version 1.
type Release struct {
	Minor, Patch int
}

// releases are the only list of the releases that are simulated, oldest first:
// the minor versions, each with the patch release whose definitions are embedded.
var releases = []Release{
	{Minor: 34, Patch: 4},
	{Minor: 35, Patch: 4},
	{Minor: 36, Patch: 3},
	{Minor: 37, Patch: 2},
}

// Releases lists the releases that are embedded, oldest first. The slice is the
// caller's own.
func Releases() []Release { return append([]Release(nil), releases...) }

// Newest is the release whose code is linked.
func Newest() Release { return releases[len(releases)-1] }

// String writes the release as a server's version, "v1.36.3".
func (r Release) String() string { return fmt.Sprintf("v1.%d.%d", r.Minor, r.Patch) }

// Before reports whether the release came earlier than another.
func (r Release) Before(other Release) bool {
	return r.Minor < other.Minor || r.Minor == other.Minor && r.Patch < other.Patch
}

// Name is the minor version as people write it, "1.36".
func (r Release) Name() string { return "1." + strconv.Itoa(r.Minor) }

// Fact is what the OpenAPI of a release says of a field and its merge type does not. The
// zero Fact says nothing.
type Fact struct {
	// Type is integer or number; empty where the merge type says it.
	Type string `json:"t,omitempty"`
	// Format is that of a scalar, such as int32 or date-time.
	Format string `json:"f,omitempty"`
	// ListType and MapType are the markers as they are published; empty without one.
	ListType string `json:"l,omitempty"`
	MapType  string `json:"m,omitempty"`
	// Required fields are in every object of the type.
	Required bool `json:"r,omitempty"`
	// PatchKey and PatchStrategy are how strategic merge patches, and with them
	// client-side applies, merge the field.
	PatchKey      string `json:"k,omitempty"`
	PatchStrategy string `json:"s,omitempty"`
}

// Facts are those of one release, by type name and field name; those of the type itself
// have the empty name. Empty facts are left out.
type Facts map[string]map[string]Fact

// Of is the fact of a field of a type.
func (f Facts) Of(typeName, field string) Fact { return f[typeName][field] }

// OpenFacts gives the facts of a minor version, as "1.36".
func OpenFacts(minor string) (Facts, error) {
	raw, err := data.ReadFile("data/" + minor + ".facts.gz")
	if err != nil {
		return nil, fmt.Errorf("no facts of Kubernetes %q", minor)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	var facts Facts
	return facts, json.NewDecoder(unpacked).Decode(&facts)
}
