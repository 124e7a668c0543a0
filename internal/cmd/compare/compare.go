package compare

import (
	"context"
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Side is an object as one of the dumps has it.
type Side struct {
	Source report.Source
	// Object is nil where the dump does not have it.
	Object map[string]any
	// Applied is the object on which the next apply is simulated; nil for Object.
	Applied map[string]any
}

// on is the object on which the next apply is simulated.
func (s Side) on() map[string]any {
	if s.Applied != nil {
		return s.Applied
	}
	return s.Object
}

// Request asks what became of one object. One of its sides has it.
type Request struct {
	Target        report.Target
	Before, After Side
	// Shape is that of the kind; zero where nothing defines it.
	Shape managedfields.Shape
	// Status compares .status too.
	Status bool
	// Apply is the object's manifest as it is applied next, on no live object;
	// nil for none.
	Apply *engine.Write
	// Server answers it.
	Server api.Server
}

// Compare says what became of one object. Fields that every write changes
// (resourceVersion, generation and the like) are left out.
func Compare(ctx context.Context, q Request) Comparison {
	c := Comparison{Target: q.Target, Before: q.Before.source(), After: q.After.source()}
	switch {
	case q.Before.Object == nil:
		c.State = Added
	case q.After.Object == nil:
		c.State = Removed
	case uid(q.Before.Object) != uid(q.After.Object):
		c.State = Recreated
	}
	if q.Before.Object != nil && q.After.Object != nil {
		c.compare(q)
	}
	if c.State == "" {
		c.State = Unchanged
		if len(c.Values)+len(c.Moves)+len(c.Entries) > 0 || c.WasAt != "" {
			c.State = Changed
		}
	}
	if q.Apply != nil && q.After.Object != nil {
		c.Next = next(ctx, q)
	}
	return c
}

func (c *Comparison) compare(q Request) {
	before, after := managedfields.Of(q.Before.Object), managedfields.Of(q.After.Object)
	c.Moves = moves(q, before, after)
	c.Entries = entries(before, after)
	switch {
	case len(before.Entries) > 0 && len(after.Entries) > 0:
		c.Owned = true
	case len(before.Entries) == 0 && len(after.Entries) > 0:
		c.Bare = BareBefore
	case len(before.Entries) > 0 && len(after.Entries) == 0:
		c.Bare = BareAfter
	}
	if was := q.Before.Object["apiVersion"]; was != q.After.Object["apiVersion"] {
		c.WasAt, _ = was.(string)
		return
	}
	for _, leaf := range engine.Difference(q.Shape, q.counted(q.Before.Object), q.counted(q.After.Object)) {
		c.Values = append(c.Values, Value{
			Field: leaf.Field, Kind: leaf.Kind, Before: leaf.Before, After: leaf.After,
			By: wrote(leaf.Path, before, after),
		})
	}
}

// serverKept are the fields of metadata that every write changes, or none.
var serverKept = []string{"creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid"}

// counted is the object without what does not count as a change.
func (q Request) counted(object map[string]any) map[string]any {
	out := make(map[string]any, len(object))
	for k, v := range object {
		if k == "status" && !q.Status {
			continue
		}
		out[k] = v
	}
	if metadata, ok := object["metadata"].(map[string]any); ok {
		kept := make(map[string]any, len(metadata))
		for k, v := range metadata {
			if !slices.Contains(serverKept, k) {
				kept[k] = v
			}
		}
		out["metadata"] = kept
	}
	return out
}

// source is a copy: a part of the side would hold on to all of it.
func (s Side) source() *report.Source {
	if s.Object == nil {
		return nil
	}
	source := s.Source
	return &source
}

// uid is empty where the object has none, as in a dump that leaves it out.
func uid(object map[string]any) string {
	v, _ := fieldtree.Value(object, "metadata", "uid").(string)
	return v
}

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
