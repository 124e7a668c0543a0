package rules

import (
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

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
		if managers := appliers(applies, leaf.Path); len(managers) > 1 {
			name := strings.Join(managers, "\n")
			byManagers[name] = append(byManagers[name], s.field(leaf.Path))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byManagers)) {
		managers, fields := strings.Split(name, "\n"), byManagers[name]
		slices.Sort(fields)
		s.find(atomicShared, managers[0], fields, text.New("%v %v, applied by %v", some(fields), text.Agree(len(fields), "is one field", "are one field each"), text.Names(managers)), s.fixWhy(fields[0]))
	}
}

// appliers are the names of the managers that apply a path, sorted.
func appliers(applies []managedfields.Entry, path fieldpath.Path) []string {
	var managers []string
	for _, e := range applies {
		if managedfields.Covers(e.Set, path) {
			managers = append(managers, e.Manager)
		}
	}
	slices.Sort(managers)
	return slices.Compact(managers)
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
