package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

var duplicateKeys = finding.Rule{
	Name: "duplicate-keys", Severity: report.SeverityWarning,
	Title: "A keyed list has several items with one key.",
	Why:   "The items count as one field with one owner. A manifest with such a list is refused by the API server when it is applied, and applying a single item of that key replaces all of them.",
}

var portsByProtocol = finding.Rule{
	Name: "ports-differ-by-protocol", Severity: report.SeverityNote,
	Title: "Ports differ by their protocol only.",
	Why:   "Server-side apply tells them apart by port and protocol, but client-side apply and strategic merge patches by the port alone: they merge the two into one, or lose one.",
}

// lists walks the object's keyed lists for repeated keys, and for ports that
// only their protocol tells apart.
func (s *examined) lists() { s.walk(s.Live, nil, s.Shape) }

func (s *examined) walk(v any, at fieldpath.Path, shape managedfields.Shape) {
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
func (s *examined) duplicates(at fieldpath.Path, shape managedfields.Shape, groups []managedfields.Group) {
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
	s.find(duplicateKeys, "", fields, text.New("%v has several items with one key: %v", text.Path(s.field(at)), some(fields)), s.fixWhy(fields[0]))
}

// ports reports items that share all keys but the protocol: client-side apply merges them
// as one. It replaces the lists of custom kinds, and merges by no key.
func (s *examined) ports(at fieldpath.Path, shape managedfields.Shape, groups []managedfields.Group) {
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
	says := text.New("%v has ports that differ by their protocol only", text.Path(s.field(at)))
	client := s.clientSide()
	if client == nil {
		s.find(portsByProtocol, "", fields, says, fix(s.about(ownersOf, shell.Value("--field", s.field(at))), text.New("shows who writes the ports; all of them should apply server-side")))
		return
	}
	f := s.finding(portsByProtocol, client.Manager, fields, says.And(", and ", text.New("%v writes the object client-side", nameOf(client.Role))),
		fix(s.about(migrateIt, from(*client)), text.New("moves the object to server-side apply, which tells the ports apart")))
	f.Severity = report.SeverityWarning
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
func (s *examined) clientSide() *managedfields.Entry {
	for _, e := range s.entries {
		if e.Operation == managedfields.Update && e.Subresource == "" && (e.Manager == "kubectl-client-side-apply" || e.Set.Has(lastAppliedPath)) {
			return &e
		}
	}
	return nil
}

// derived reports whether nobody merges the lists of the object: Pods, in which they do
// not change, and what a controller makes of another object.
func (s *examined) derived() bool {
	metadata, _ := s.Live["metadata"].(map[string]any)
	owners, _ := metadata["ownerReferences"].([]any)
	return s.Target.Kind == "Pod" || len(owners) > 0
}
