package transfer

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// subject is one field that is handed over.
type subject struct {
	path  fieldpath.Path
	field string
	value conflict.Value
	// leaves are what the former owner owns of it and the object has: the field
	// itself, or what is in it.
	leaves []fieldpath.Path
}

// planner works on one object.
type planner struct {
	ownership.Object
	q        Request
	subjects []subject
	// applies and updates are the former owner's entries that own some of the
	// fields.
	applies, updates []managedfields.Entry
	// first are the steps that every option begins with, and before the objects before
	// each of them.
	first  []Step
	before []map[string]any
	// stages are the live object and what each step of an option leaves of it.
	stages map[OptionKind][]map[string]any
}

func newPlanner(ctx context.Context, server api.Server, q Request) (*planner, error) {
	object, err := ownership.Of(ctx, server, q.Object)
	if err != nil {
		return nil, err
	}
	return plannerOf(object, q)
}

func plannerOf(object *ownership.Object, q Request) (*planner, error) {
	p := &planner{Object: *object, q: q, stages: map[OptionKind][]map[string]any{}}
	switch {
	case p.Owners.Err != nil:
		return nil, fmt.Errorf("read managedFields: %w", p.Owners.Err)
	case len(p.Owners.Entries) == 0:
		return nil, errors.New("the live object has no managedFields, so that it is not known who owns its fields: fetch it with kubectl get --show-managed-fields")
	}
	for _, path := range q.Fields {
		path = whole(path)
		if !slices.ContainsFunc(p.subjects, func(s subject) bool { return s.path.Equals(path) }) {
			p.subjects = append(p.subjects, subject{path: path, field: path.String(), value: conflict.ValueAt(p.Shape, p.Live, path)})
		}
	}
	p.findEntries()
	return p, nil
}

// whole is the item of a list in place of its key: no manifest can leave the
// key out and keep the item.
func whole(path fieldpath.Path) fieldpath.Path {
	if managedfields.IsKey(path) {
		return path[:len(path)-1]
	}
	return path
}

// findEntries finds the former owner's entries, and what they own.
func (p *planner) findEntries() {
	for _, e := range p.Owners.Readable() {
		if e.Manager != p.q.From || !p.ownsSome(e) {
			continue
		}
		if e.Operation == managedfields.Apply {
			p.applies = append(p.applies, e)
		} else {
			p.updates = append(p.updates, e)
		}
		for i := range p.subjects {
			s := &p.subjects[i]
			for _, leaf := range leavesIn(e.Set, s.path) {
				if p.Shape.Has(p.Live, leaf) && !slices.ContainsFunc(s.leaves, leaf.Equals) {
					s.leaves = append(s.leaves, leaf)
				}
			}
		}
	}
}

func (p *planner) ownsSome(e managedfields.Entry) bool {
	return slices.ContainsFunc(p.subjects, func(s subject) bool { return len(leavesIn(e.Set, s.path)) > 0 })
}

// leavesIn are the leaves of a set at a path and below it, in order.
func leavesIn(set *fieldpath.Set, path fieldpath.Path) []fieldpath.Path {
	var out []fieldpath.Path
	set.Leaves().Iterate(func(p fieldpath.Path) {
		if within(p, path) {
			out = append(out, p.Copy())
		}
	})
	return out
}

// within reports whether a path is a field, or in it.
func within(path, field fieldpath.Path) bool {
	return len(path) >= len(field) && path[:len(field)].Equals(field)
}

// states are the fields in an object, which may be at another API version.
func (p *planner) states(object map[string]any) []State {
	version, _ := p.Write.Kind.ToAPIVersionAndKind()
	at, err := p.In(object).At(version)
	if err != nil {
		at = object
	}
	owners := managedfields.Of(at)
	out := make([]State, len(p.subjects))
	for i, s := range p.subjects {
		out[i] = State{Field: s.field, Value: conflict.ValueAt(p.Shape, at, s.path), Owners: ownersOf(owners, s.path)}
	}
	return out
}

// ownersOf are the entries that own a field or something in it.
func ownersOf(owners managedfields.Owners, path fieldpath.Path) []report.Writer {
	entries := slices.DeleteFunc(owners.Readable(), func(e managedfields.Entry) bool { return len(leavesIn(e.Set, path)) == 0 })
	slices.SortFunc(entries, func(a, b managedfields.Entry) int { return a.Writer.Compare(b.Writer) })
	return report.List(report.WritersOf(entries))
}

// Owners are the managers that own a field of an object or something in it,
// sorted.
func Owners(object map[string]any, path fieldpath.Path) []string {
	var out []string
	for _, w := range ownersOf(managedfields.Of(object), path) {
		if !slices.Contains(out, w.Manager) {
			out = append(out, w.Manager)
		}
	}
	return out
}

// changed reports whether a field has another value than the live one.
func (p *planner) changed(states []State) bool {
	for i, s := range states {
		if !reflect.DeepEqual(s.Value, p.subjects[i].value) {
			return true
		}
	}
	return false
}

// ownsAny reports whether a manager owns one of the fields.
func ownsAny(states []State, manager string) bool {
	return slices.ContainsFunc(states, func(s State) bool { return owns(s, manager) })
}

// ownsAll reports whether a manager owns all of the fields.
func ownsAll(states []State, manager string) bool {
	return !slices.ContainsFunc(states, func(s State) bool { return !owns(s, manager) })
}

func owns(s State, manager string) bool {
	return slices.ContainsFunc(s.Owners, func(w report.Writer) bool { return w.Manager == manager })
}
