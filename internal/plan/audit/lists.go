package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// lists walks the object's keyed lists for repeated keys, and for ports that
// only their protocol tells apart.
func (s *subject) lists() { s.walk(s.Live, nil, s.Shape) }

func (s *subject) walk(v any, at fieldpath.Path, shape managedfields.Shape) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if len(at) > 0 || key != "metadata" {
				s.walk(v[key], append(at.Copy(), fieldpath.FieldNameElement(key)), shape.Field(key))
			}
		}
	case []any:
		if !shape.Associative() {
			return
		}
		groups, ok := shape.Group(v)
		if !ok {
			return
		}
		s.duplicates(at, shape, groups)
		s.ports(at, shape, groups)
		for _, g := range groups {
			s.walk(g.Items[0], append(at.Copy(), g.Element), shape.Item())
		}
	}
}

// duplicates reports items that have one key. Sets may be repeated too, but
// the server takes their values once.
func (s *subject) duplicates(at fieldpath.Path, shape managedfields.Shape, groups []managedfields.Group) {
	if len(shape.Keys()) == 0 || pathStarts(at, "status") {
		return
	}
	var fields []string
	for _, g := range groups {
		if len(g.Items) > 1 {
			fields = append(fields, s.field(append(at.Copy(), g.Element)))
		}
	}
	if len(fields) == 0 {
		return
	}
	s.add(s.finding(DuplicateKeys, report.Fact{Kind: ItemsOfOneKey, Fields: []string{s.field(at)}}, s.fixWhy(fields[0])).About(fields...))
}

// ports reports items that share all keys but the protocol: client-side apply merges them
// as one. It replaces the lists of custom kinds, and merges by no key.
func (s *subject) ports(at fieldpath.Path, shape managedfields.Shape, groups []managedfields.Group) {
	keys := shape.Keys()
	if len(keys) < 2 || !slices.Contains(keys, "protocol") || pathStarts(at, "status") || s.Custom || s.derived() {
		return
	}
	same := map[string][]string{}
	var order []string
	for _, g := range groups {
		name := withoutProtocol(g.Element)
		if len(same[name]) == 0 {
			order = append(order, name)
		}
		same[name] = append(same[name], s.field(append(at.Copy(), g.Element)))
	}
	var fields []string
	for _, name := range order {
		if len(same[name]) > 1 {
			fields = append(fields, same[name]...)
		}
	}
	if len(fields) == 0 {
		return
	}
	client := s.clientSide()
	fact := report.Fact{Kind: PortsOfOneNumber, Fields: []string{s.field(at)}}
	f := s.finding(PortsByProtocol, fact, s.fixPorts(client, s.field(at))...).About(fields...)
	if client != nil {
		f.Fact.Kind, f.Fact.By = PortsMergedAsOne, writer(*client)
		f.Severity, f.Manager = Warning, client.Manager
	}
	s.add(f)
}

// withoutProtocol is what else than the protocol an item is known by.
func withoutProtocol(pe fieldpath.PathElement) string {
	if pe.Key == nil {
		return pe.String()
	}
	var b strings.Builder
	for _, f := range *pe.Key {
		if f.Name != "protocol" {
			b.WriteString(f.Name + "=" + fmt.Sprint(f.Value.Unstructured()) + ",")
		}
	}
	return b.String()
}

// clientSide is the entry of a client-side apply; nil when there is none.
func (s *subject) clientSide() *managedfields.Entry {
	for _, e := range s.entries {
		if e.Operation == managedfields.Update && e.Subresource == "" && (e.Manager == "kubectl-client-side-apply" || e.Set.Has(lastAppliedPath)) {
			return &e
		}
	}
	return nil
}

// derived reports whether nobody merges the lists of the object: Pods, in which they do
// not change, and what a controller makes of another object.
func (s *subject) derived() bool {
	metadata, _ := s.Live["metadata"].(map[string]any)
	owners, _ := metadata["ownerReferences"].([]any)
	return s.Target.Kind == "Pod" || len(owners) > 0
}
