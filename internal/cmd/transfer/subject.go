package transfer

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// handed is one field that is handed over.
type handed struct {
	path  fieldpath.Path
	field string
	value conflict.Value
	// leaves are what the former owner owns of it and the object has: the field
	// itself, or what is in it.
	leaves []fieldpath.Path
}

// subject is one object with the fields that are handed over, and what is known of who
// owns them.
type subject struct {
	*ownership.Object
	q      Request
	fields []handed
	// applies and updates are the former owner's entries that own some of the
	// fields.
	applies, updates []managedfields.Entry
	// first are the steps that every option begins with, and before the objects before
	// each of them.
	first  []Step
	before []map[string]any
}

func newSubject(object *ownership.Object, q Request) (*subject, error) {
	s := &subject{Object: object, q: q}
	switch {
	case s.Owners().Err != nil:
		return nil, fmt.Errorf("read managedFields: %w", s.Owners().Err)
	case len(s.Owners().Entries) == 0:
		return nil, errors.New(
			"the live object has no managedFields, so that it is not known who owns its fields: fetch it with kubectl get --show-managed-fields",
		)
	}
	for _, path := range q.Fields {
		// The item of a list in place of its key: no manifest can leave the key out and keep
		// the item.
		if managedfields.IsKey(path) {
			path = path[:len(path)-1]
		}
		if !slices.ContainsFunc(s.fields, func(f handed) bool { return f.path.Equals(path) }) {
			s.fields = append(s.fields, handed{path: path, field: path.String(), value: conflict.ValueAt(s.Shape, s.Live, path)})
		}
	}
	s.findEntries()
	return s, nil
}

// findEntries finds the former owner's entries, and what they own.
func (s *subject) findEntries() {
	for _, e := range s.Owners().Readable() {
		if e.Manager != s.q.From || !s.ownsSome(e) {
			continue
		}
		if e.Operation == managedfields.Apply {
			s.applies = append(s.applies, e)
		} else {
			s.updates = append(s.updates, e)
		}
		for i := range s.fields {
			f := &s.fields[i]
			for _, leaf := range leavesIn(e.Set, f.path) {
				if s.Shape.Has(s.Live, leaf) && !slices.ContainsFunc(f.leaves, leaf.Equals) {
					f.leaves = append(f.leaves, leaf)
				}
			}
		}
	}
}

func (s *subject) ownsSome(e managedfields.Entry) bool {
	return slices.ContainsFunc(s.fields, func(f handed) bool { return len(leavesIn(e.Set, f.path)) > 0 })
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

// named are the fields in a sentence.
func (s *subject) named() text.Text {
	return text.List(s.fields, len(s.fields), func(f handed) text.Arg { return text.Path(f.field) })
}

func (s *subject) agree(one, several string) text.Text {
	return text.Agree(len(s.fields), one, several)
}

// states are the fields in an object, which may be at another API version.
func (s *subject) states(object map[string]any) []State {
	version, _ := s.Write.Kind.ToAPIVersionAndKind()
	at, err := s.In(object).At(version)
	if err != nil {
		at = object
	}
	owners := managedfields.Of(at)
	out := make([]State, len(s.fields))
	for i, f := range s.fields {
		out[i] = State{Field: f.field, Value: conflict.ValueAt(s.Shape, at, f.path), Owners: ownersOf(owners, f.path)}
	}
	return out
}

// ownersOf are the entries that own a field or something in it.
func ownersOf(owners managedfields.Owners, path fieldpath.Path) []report.Writer {
	entries := slices.DeleteFunc(
		owners.Readable(),
		func(e managedfields.Entry) bool { return len(leavesIn(e.Set, path)) == 0 },
	)
	slices.SortFunc(entries, func(a, b managedfields.Entry) int { return a.Writer.Compare(b.Writer) })
	return report.List(report.WritersOf(entries))
}

// differ reports whether a field has another value than before.
func differ(before, after []State) bool {
	for i := range after {
		if !reflect.DeepEqual(before[i].Value, after[i].Value) {
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

// owned reports whether the former owner still owns something of the fields;
// those that it has lost are only in its manifest then.
func (s *subject) owned() bool {
	return slices.ContainsFunc(s.fields, func(f handed) bool { return len(f.leaves) > 0 })
}

// leaf reports whether something holds for a leaf that the former owner owns.
func (s *subject) leaf(holds func(fieldpath.Path) bool) bool {
	return slices.ContainsFunc(s.fields, func(f handed) bool { return slices.ContainsFunc(f.leaves, holds) })
}

// has reports whether the new owner owns every leaf of the former one already.
func (s *subject) has() bool {
	at := s.Owners().Index()
	return !s.leaf(func(leaf fieldpath.Path) bool {
		return !slices.ContainsFunc(at(leaf), func(e managedfields.Entry) bool { return e.Manager == s.q.To })
	})
}

// differs reports whether the given manifest of the new owner asks for other
// values.
func (s *subject) differs() bool {
	m := s.q.ToManifest
	if m == nil {
		return false
	}
	shape := managedfields.ShapeOf(s.Server.Types(m.Kind).ParseableType)
	return s.leaf(func(leaf fieldpath.Path) bool {
		found := shape.Lookup(m.Decoded, leaf)
		return len(found) == 1 && !reflect.DeepEqual(found[0], conflict.ValueAt(s.Shape, s.Live, leaf).Value)
	})
}

// drops reports whether a field that the former owner has lost already is still
// in its manifest.
func (s *subject) drops(f handed) bool {
	m := s.q.FromManifest
	return m != nil && s.Shape.Has(m.Decoded, f.path)
}

// also are changes of other fields than those that are handed over, and what came or went
// with them. What the server counts or fills in by itself is none.
func (s *subject) also(r report.Result) []report.Change {
	var out []report.Change
	for _, c := range r.Changes {
		meant := slices.ContainsFunc(s.fields, func(f handed) bool {
			return managedfields.Within(c.Field, f.field) || managedfields.Within(f.field, c.Field)
		})
		if !meant && c.Field != ".metadata.generation" && c.Reason != report.ReasonDefaulted &&
			!strings.HasPrefix(c.Field, client.LastAppliedField) {
			out = append(out, c)
		}
	}
	return out
}

// scales reports whether an autoscaler writes a field through the scale
// subresource.
func scales(server api.Server, object engine.Write, path fieldpath.Path) bool {
	return path.String() == ".spec.replicas" && slices.Contains(server.Resource(object.Kind).Subresources, "scale")
}
