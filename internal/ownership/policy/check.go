package policy

import (
	"cmp"
	"slices"
	"sync/atomic"

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
func (p Policy) check(
	rules []*Rule,
	o Object,
	of map[managedfields.Role]*fieldpath.Set,
	had *fieldpath.Set,
) []Violation {
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
		slices.SortFunc(
			paths,
			func(a, b fieldpath.Path) int { return cmp.Or(cmp.Compare(a.String(), b.String()), a.Compare(b)) },
		)
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

// use is what a rule was found to be about.
type use struct{ object, field atomic.Bool }

// Watched is a policy that notes which of its rules are about something. It may be
// asked for several objects at once.
func (p Policy) Watched() Policy {
	p.uses = make([]use, len(p.Rules))
	return p
}

// Unused is a rule that was about nothing.
type Unused struct {
	Rule Rule
	// Object is true if it matched an object in which its fields are unowned.
	Object bool
}

// Unused are the rules that were about no owned field of any object since the policy is
// watched, in their order.
func (p Policy) Unused() []Unused {
	var out []Unused
	for i := range p.uses {
		if !p.uses[i].field.Load() {
			out = append(out, Unused{p.Rules[i], p.uses[i].object.Load()})
		}
	}
	return out
}

// match notes which rules are about an owned field: of those that are about the object,
// each that was about no field so far.
func (p Policy) match(o Object, path fieldpath.Path) {
	for i := range p.uses {
		if u := &p.uses[i]; !u.field.Load() && u.object.Load() && p.Rules[i].concerns(o) && p.Rules[i].about(o, path) {
			u.field.Store(true)
		}
	}
}
