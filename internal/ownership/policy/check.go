package policy

import (
	"cmp"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// Violation is what a rule does not let a field manager own.
type Violation struct {
	Rule *Rule
	Role managedfields.Role
	// Paths are the fields, sorted as the API server writes them.
	Paths []fieldpath.Path
}

// Owned finds who owns what the policy does not let them own: a violation for each
// rule and role, in the order of the rules, then of the roles. Entries that cannot be
// read own nothing.
func (p Policy) Owned(o Object, owners managedfields.Owners) []Violation {
	return p.check(p.on(o), o, owners.Roles(), nil)
}

// Added finds what a role owns after a write, did not own before, and may not.
func (p Policy) Added(o Object, role managedfields.Role, before, after managedfields.Owners) []Violation {
	rules := p.on(o)
	set, ok := after.Roles()[role]
	if !ok {
		return nil
	}
	return p.check(rules, o, map[managedfields.Role]*fieldpath.Set{role: set}, before.Roles()[role])
}

// Forbids reports whether a role may not own a path of an object.
func (p Policy) Forbids(o Object, path fieldpath.Path, role managedfields.Role) bool {
	r := deciding(p.on(o), o, path)
	return r != nil && !r.Allows(role)
}

// check looks at the fields of roles that are not in had, by the rules on an object.
func (p Policy) check(rules []*Rule, o Object, of map[managedfields.Role]*fieldpath.Set, had *fieldpath.Set) []Violation {
	if len(rules) == 0 {
		return nil
	}
	found := map[claim][]fieldpath.Path{}
	for role, set := range of {
		set.Leaves().Iterate(func(path fieldpath.Path) {
			p.match(o, path)
			if had != nil && had.Has(path) {
				return
			}
			if r := deciding(rules, o, path); r != nil && !r.Allows(role) {
				c := claim{r, role}
				found[c] = append(found[c], path.Copy())
			}
		})
	}
	var out []Violation
	for c, paths := range found {
		slices.SortFunc(paths, func(a, b fieldpath.Path) int { return cmp.Or(cmp.Compare(a.String(), b.String()), a.Compare(b)) })
		out = append(out, Violation{Rule: c.rule, Role: c.role, Paths: paths})
	}
	slices.SortFunc(out, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(slices.Index(rules, a.Rule), slices.Index(rules, b.Rule)), a.Role.Compare(b.Role))
	})
	return out
}

// claim is what one role owns that one rule decides on.
type claim struct {
	rule *Rule
	role managedfields.Role
}
