package rules

import (
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

var duplicateKeys = finding.Rule{
	Name: "duplicate-keys", Severity: report.SeverityWarning,
	Title: "A keyed list has several items with one key.",
	Why:   "The items count as one field with one owner. A manifest with such a list is refused by the API server when it is applied, and applying a single item of that key replaces all of them.",
}

// findListFaults walks the object's keyed lists for repeated keys, and for ports that
// only their protocol tells apart.
func findListFaults(s *examined) { walk(s, s.Live, nil, s.Shape) }

func walk(s *examined, v any, at fieldpath.Path, shape managedfields.Shape) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if len(at) > 0 || key != "metadata" {
				walk(s, v[key], append(at.Copy(), fieldpath.FieldNameElement(key)), shape.Field(key))
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
		reportDuplicates(s, at, shape, groups)
		reportPorts(s, at, shape, v)
		for _, g := range groups {
			walk(s, g.Items[0], append(at.Copy(), g.Element), shape.Item())
		}
	}
}

// reportDuplicates reports items that have one key. Sets may be repeated too, but
// the server takes their values once.
func reportDuplicates(s *examined, at fieldpath.Path, shape managedfields.Shape, groups []managedfields.Group) {
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

// reportPorts reports items that share all keys but the protocol: client-side apply merges them
// as one. It replaces the lists of custom kinds, and merges by no key.
func reportPorts(s *examined, at fieldpath.Path, shape managedfields.Shape, list []any) {
	if pathStarts(at, "status") || s.Custom || derived(s) {
		return
	}
	var fields []string
	for _, same := range finding.PortsOf(list, shape) {
		for _, i := range same.Items {
			element, _ := shape.Element(list[i])
			fields = append(fields, s.field(append(at.Copy(), element)))
		}
	}
	if len(fields) == 0 {
		return
	}
	says := text.New("%v has ports that differ by their protocol only", text.Path(s.field(at)))
	client := clientSide(s)
	if client == nil {
		s.find(finding.PortsByProtocol, "", fields, says, fix(s.about(ownersOf, shell.Value("--field", s.field(at))), text.New("shows who writes the ports; all of them should apply server-side")))
		return
	}
	f := s.finding(finding.PortsByProtocol, client.Manager, fields, says.And(", and ", text.New("%v writes the object client-side", nameOf(client.Role))),
		fix(s.about(migrateIt, from(*client)), text.New("moves the object to server-side apply, which tells the ports apart")))
	f.Severity = report.SeverityWarning
	s.add(f)
}

// clientSide is the entry of a client-side apply; nil when there is none.
func clientSide(s *examined) *managedfields.Entry {
	for _, e := range s.entries {
		if e.Operation == managedfields.Update && e.Subresource == "" && (e.Manager == "kubectl-client-side-apply" || e.Set.Has(lastAppliedPath)) {
			return &e
		}
	}
	return nil
}

// derived reports whether nobody merges the lists of the object: Pods, in which they do
// not change, and what a controller makes of another object.
func derived(s *examined) bool {
	owners, _ := fieldtree.Value(s.Live, "metadata", "ownerReferences").([]any)
	return s.Target.Kind == "Pod" || len(owners) > 0
}
