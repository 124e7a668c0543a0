package rules

import (
	"maps"
	"slices"
	"strings"

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
	s.find(
		duplicateKeys,
		"",
		fields,
		text.New("%v has several items with one key: %v", text.Path(s.field(at)), some(fields)),
		s.fixWhy(fields[0]),
	)
}

// reportPorts reports items that share all keys but the protocol: client-side apply merges them
// as one. It replaces the lists of custom kinds, and merges by no key.
func reportPorts(s *examined, at fieldpath.Path, shape managedfields.Shape, list []any) {
	// Nobody merges the lists of a Pod, in which they do not change, nor of what a controller
	// makes of another object.
	owners, _ := fieldtree.Value(s.Live, "metadata", "ownerReferences").([]any)
	if pathStarts(at, "status") || s.Custom || s.Target.Kind == "Pod" || len(owners) > 0 {
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
	i := slices.IndexFunc(s.entries, func(e managedfields.Entry) bool {
		return e.Operation == managedfields.Update && e.Subresource == "" &&
			(e.Manager == "kubectl-client-side-apply" || e.Set.Has(lastAppliedPath))
	})
	if i < 0 {
		s.find(
			finding.PortsByProtocol, "", fields, says,
			fix(
				s.about(ownersOf, shell.Value("--field", s.field(at))),
				text.New("shows who writes the ports; all of them should apply server-side"),
			),
		)
		return
	}
	client := s.entries[i]
	f := s.finding(
		finding.PortsByProtocol,
		client.Manager,
		fields,
		says.And(", and ", text.New("%v writes the object client-side", nameOf(client.Role))),
		fix(s.about(migrateIt, from(client)), text.New("moves the object to server-side apply, which tells the ports apart")),
	)
	f.Severity = report.SeverityWarning
	s.add(f)
}

var atomicShared = finding.Rule{
	Name: "atomic-shared", Severity: report.SeverityWarning,
	Title: "Several field managers apply one atomic list or map.",
	Why:   "It is one field: none of them can change an item without conflicting with the others, and one that forces replaces the items of all.",
}

// findAtomicShared finds atomic lists and maps that several managers apply. Those
// that cannot be changed anyway, and structures that are one value, are left
// alone.
func findAtomicShared(s *examined) {
	applies := s.applies()
	if s.Deduced || len(applies) < 2 {
		return
	}
	byManagers := map[string][]string{}
	for _, leaf := range s.Shape.Leaves(s.Live) {
		if !collection(s, leaf) || immutable(s, leaf.Path) {
			continue
		}
		var managers []string
		for _, e := range applies {
			if managedfields.Covers(e.Set, leaf.Path) {
				managers = append(managers, e.Manager)
			}
		}
		slices.Sort(managers)
		if managers = slices.Compact(managers); len(managers) > 1 {
			name := strings.Join(managers, "\n")
			byManagers[name] = append(byManagers[name], s.field(leaf.Path))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byManagers)) {
		managers, fields := strings.Split(name, "\n"), byManagers[name]
		slices.Sort(fields)
		s.find(
			atomicShared,
			managers[0],
			fields,
			text.New(
				"%v %v, applied by %v",
				some(fields),
				text.Agree(len(fields), "is one field", "are one field each"),
				text.Names(managers),
			),
			s.fixWhy(fields[0]),
		)
	}
}

// collection reports whether a leaf is a list or an open map with something in
// it: what several might want to add to.
func collection(s *examined, leaf managedfields.Leaf) bool {
	switch v := leaf.Value.(type) {
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0 && s.shapeAt(leaf.Path).Open()
	}
	return false
}

// immutable reports whether the server never lets the field change.
func immutable(s *examined, path fieldpath.Path) bool {
	switch s.Target.Kind {
	case "Deployment", "ReplicaSet", "DaemonSet", "StatefulSet", "Job":
		return strings.HasPrefix(path.String(), ".spec.selector")
	}
	return false
}
