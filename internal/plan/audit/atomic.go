package audit

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
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
			name := strings.Join(managers, " and ")
			byManagers[name] = append(byManagers[name], s.field(leaf.Path))
		}
	}
	for _, managers := range sortedNames(byManagers) {
		fields := byManagers[managers]
		slices.Sort(fields)
		message := fmt.Sprintf("%s is one field, applied by %s", fields[0], managers)
		if n := len(fields); n > 1 {
			message = fmt.Sprintf("%s are one field each, applied by %s", listed(fields), managers)
		}
		f := s.finding(AtomicShared, message, s.fixWhy(fields[0])).About(fields...)
		f.Manager, _, _ = strings.Cut(managers, " and ")
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
