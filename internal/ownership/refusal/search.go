package refusal

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
)

// maxTried is how many applies are simulated to explain one refusal.
const maxTried = 60

// search is one rejected apply under question. Its live object is at the version of the
// manifest.
type search struct {
	*ownership.Object
	refused report.Result
	body    map[string]any
	// covering gives the entries that own a live path.
	covering func(fieldpath.Path) []managedfields.Entry
	// applies is true for a server-side apply, which removes what only it owned.
	applies bool
	// creates: the same manifest creates the object where there is none.
	creates bool
	// left is how many more applies may be simulated.
	left int
}

// try simulates a write. What is not tried any more counts as refused.
func (s *search) try(w engine.Write) report.Result {
	if s.left--; s.left < 0 {
		return report.Result{Outcome: report.Failed}
	}
	return s.Send(s.Ctx, s.Server, w)
}

// target is the field of a cause, as names without list items; empty for a cause without.
type target struct {
	field string
	names []string
}

// about reports whether a cause is at the target, in it or above it.
func (t target) about(c report.Cause) bool {
	names := namesIn(c.Field)
	n := min(len(names), len(t.names))
	return t.field == c.Field || n > 1 && slices.Equal(names[:n], t.names[:n])
}

func targetsOf(causes []report.Cause) []target {
	out := []target{}
	for _, c := range causes {
		t := target{field: c.Field, names: namesIn(c.Field)}
		if c.Field != "" && !slices.ContainsFunc(out, func(o target) bool { return o.field == t.field }) {
			out = append(out, t)
		}
	}
	return out
}

// items are those of lists, and keys in brackets, in a field as validation writes it.
var items = regexp.MustCompile(`\[[^\]]*\]`)

func namesIn(field string) []string {
	return strings.FieldsFunc(items.ReplaceAllString(field, ""), func(c rune) bool { return c == '.' })
}

func namesOf(path fieldpath.Path) []string {
	var out []string
	for _, pe := range path {
		if pe.FieldName != nil {
			out = append(out, *pe.FieldName)
		}
	}
	return out
}

// near is how many names a path has in common with the nearest of the targets, from the
// root.
func near(targets []target, path fieldpath.Path) int {
	best, names := 0, namesOf(path)
	for _, t := range targets {
		n := 0
		for n < len(names) && n < len(t.names) && names[n] == t.names[n] {
			n++
		}
		best = max(best, n)
	}
	return best
}

// solved reports whether the server has nothing more at the targets, in them or above them: of
// what must not change it names a part, or the whole. Without targets, it has nothing at all.
func solved(r report.Result, targets []target) bool {
	switch {
	case !r.Outcome.Refused():
		return true
	case r.Outcome != report.Invalid || len(targets) == 0 || len(r.Causes) == 0:
		return false
	}
	return !slices.ContainsFunc(r.Causes, func(c report.Cause) bool {
		return slices.ContainsFunc(targets, func(t target) bool { return t.about(c) })
	})
}

// smallest finds a set of units that solves the targets, and does not without any one of
// them: first those nearest to the targets, then more.
func (s *search) smallest(units []unit, targets []target, without func([]unit) report.Result) ([]unit, bool) {
	at := func(u unit) int { return near(targets, u.path) }
	units = slices.Clone(units)
	slices.SortStableFunc(units, func(a, b unit) int { return cmp.Compare(at(b), at(a)) })
	solves := func(set []unit) bool { return solved(without(set), targets) }
	for n := 0; n < len(units); {
		level := at(units[n])
		if level == 0 && len(targets) > 0 {
			break
		}
		for n < len(units) && at(units[n]) == level {
			n++
		}
		if solves(units[:n]) {
			return shrunk(slices.Clone(units[:n]), solves), true
		}
	}
	return nil, false
}

// shrunk leaves out units as long as the rest solves: halves, quarters and so on, then one
// by one.
func shrunk(set []unit, solves func([]unit) bool) []unit {
	for size := (len(set) + 1) / 2; size > 0 && len(set) > 1; {
		removed := false
		for from := 0; from < len(set) && len(set) > 1; {
			rest := slices.Concat(set[:from], set[min(from+size, len(set)):])
			if len(rest) > 0 && solves(rest) {
				set, removed = rest, true
			} else {
				from += size
			}
		}
		if size == 1 && !removed {
			break
		}
		size = max(size/2, min(1, size-1))
	}
	return set
}

// unit is a field, or an item of a list, that is looked at as one.
type unit struct {
	path fieldpath.Path
	// live and applied are its values where it has just one.
	live, applied any
	// inLive and inBody report whether it is there.
	inLive, inBody bool
}

// add adds a unit, each path once.
func add(units []unit, seen map[string]bool, u unit) []unit {
	if field := u.path.String(); !seen[field] {
		seen[field] = true
		units = append(units, u)
	}
	return units
}

// outermost is the item of a list that a path is in and a tree does not have; else the
// path.
func outermost(shape managedfields.Shape, tree map[string]any, path fieldpath.Path) fieldpath.Path {
	for i, pe := range path {
		if pe.FieldName == nil && !shape.Has(tree, path[:i+1]) {
			return path[:i+1]
		}
	}
	return path
}

// skipped reports whether a field is none that an apply of the object decides: what
// identifies it, its status, and metadata where no target is there.
func skipped(path fieldpath.Path, targets []target) bool {
	if managedfields.Untracked(path) || len(path) == 0 || path[0].FieldName == nil {
		return true
	}
	switch *path[0].FieldName {
	case "status":
		return true
	case "metadata":
		return !slices.ContainsFunc(targets, func(t target) bool { return len(t.names) > 0 && t.names[0] == "metadata" })
	}
	return false
}

// valueAt is the one value at a path.
func valueAt(shape managedfields.Shape, tree map[string]any, path fieldpath.Path) (any, bool) {
	values := shape.Lookup(tree, path)
	if len(values) != 1 {
		return nil, len(values) > 0
	}
	return values[0], true
}

// lineNear is the line of the manifest that has a path, or its nearest parent.
func (s *search) lineNear(path fieldpath.Path) *report.Source {
	positions, _ := (*managedfields.Finder)(nil).Positions(s.Shape, s.body, path)
	return report.Nearest(s.Write.Locator, positions)
}
