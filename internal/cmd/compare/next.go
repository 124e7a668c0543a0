package compare

import (
	"context"

	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Next is the next apply of a manifest, on the object of each dump.
type Next struct {
	Source  report.Source `json:"source"`
	Manager string        `json:"manager" secret:"public"`
	// Before is nil where the earlier dump does not have the object.
	Before *report.Answer `json:"before,omitempty"`
	After  report.Answer  `json:"after"`
	// Conflicts are those of After that Before does not have; Solved are those
	// of Before that After does not have. Both are sorted by field.
	Conflicts []report.Conflict `json:"conflicts,omitempty"`
	Solved    []report.Conflict `json:"solved,omitempty"`
}

// next applies the manifest to both.
func next(ctx context.Context, q Request) *Next {
	w := *q.Apply
	w.Verb = api.Apply
	n := &Next{Source: w.Source, Manager: w.Manager}
	// The write has no live object that could fail to be parsed.
	o, _ := ownership.Of(ctx, q.Server, w)
	after := o.Simulate(w, q.After.on())
	n.After = after.Answer()
	if q.Before.Object == nil {
		n.Conflicts = after.Conflicts
		return n
	}
	before := o.Simulate(w, q.Before.on())
	answer := before.Answer()
	n.Before = &answer
	n.Conflicts, n.Solved = fresh(after.Conflicts, before.Conflicts), fresh(before.Conflicts, after.Conflicts)
	return n
}

// fresh are the conflicts of a that b does not have: of another field, or with
// another manager.
func fresh(a, b []report.Conflict) []report.Conflict {
	type key struct{ field, manager, operation, subresource string }
	keyOf := func(c report.Conflict) key { return key{c.Field, c.Manager, c.Operation, c.Subresource} }
	had := map[key]bool{}
	for _, c := range b {
		had[keyOf(c)] = true
	}
	var out []report.Conflict
	for _, c := range a {
		if !had[keyOf(c)] {
			out = append(out, c)
		}
	}
	return out
}
