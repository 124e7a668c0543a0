package policy

import (
	"sync/atomic"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

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

// concern notes that a rule is about an object.
func (p Policy) concern(rule int) {
	if p.uses != nil {
		p.uses[rule].object.Store(true)
	}
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
