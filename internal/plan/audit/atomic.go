package audit

import (
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// atomicShared finds atomic lists and maps that several managers apply. Those
// that cannot be changed anyway, and structures that are one value, are left
// alone.
func (s *subject) atomicShared() {
	applies := s.applies()
	if s.Deduced || len(applies) < 2 {
		return
	}
	byManagers := map[string][]string{}
	for _, leaf := range s.Shape.Leaves(s.Live) {
		if !s.collection(leaf) || s.immutable(leaf.Path) {
			continue
		}
		if managers := appliers(applies, leaf.Path); len(managers) > 1 {
			name := strings.Join(managers, "\n")
			byManagers[name] = append(byManagers[name], s.field(leaf.Path))
		}
	}
	for _, name := range sortedNames(byManagers) {
		managers, fields := strings.Split(name, "\n"), byManagers[name]
		slices.Sort(fields)
		fact := report.Fact{Kind: AppliedAsOne, Others: managers}
		if len(fields) > 1 {
			fact.Kind = AppliedAsOneEach
		}
		f := s.finding(AtomicShared, fact, s.fixWhy(fields[0])).About(fields...)
		f.Manager = managers[0]
		s.add(f)
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
func (s *subject) collection(leaf managedfields.Leaf) bool {
	switch v := leaf.Value.(type) {
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0 && s.shapeAt(leaf.Path).Open()
	}
	return false
}

// immutable reports whether the server never lets the field change.
func (s *subject) immutable(path fieldpath.Path) bool {
	switch s.Target.Kind {
	case "Deployment", "ReplicaSet", "DaemonSet", "StatefulSet", "Job":
		return strings.HasPrefix(path.String(), ".spec.selector")
	}
	return false
}
