package compare

import (
	"context"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
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

// ofStatus reports whether a path is in the status, which is not asked for.
func (q Request) ofStatus(path fieldpath.Path) bool {
	return !q.Status && len(path) > 0 && path[0].FieldName != nil && *path[0].FieldName == "status"
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
