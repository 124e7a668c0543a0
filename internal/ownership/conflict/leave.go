package conflict

import (
	"context"
	"encoding/base64"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Leave is how the client that applies leaves a field of its manifest to somebody who
// is going to write it: its settings, tried on the object as it is once that one has
// written another value. The object is the live one of the write, or else what the
// apply makes. It is nil for a client whose settings are not known, and where the
// server does not accept one of the writes.
func Leave(ctx context.Context, server api.Server, w engine.Write, path fieldpath.Path, to string) []report.ClientFix {
	if ClientOf(w.Manager) == "" || w.Name == "" {
		return nil
	}
	w.Verb, w.Force = api.Apply, false
	return guard.Or(func() []report.ClientFix {
		object, ok := writtenBy(ctx, server, w, path, to)
		if !ok {
			return nil
		}
		return leaving(Explain(ctx, server, w.On(object), Judges{}).InClient)
	}, func(error) []report.ClientFix { return nil })
}

// writtenBy is the object of an apply after somebody else has changed a field, with a
// patch: an update of some kinds needs a resource version.
func writtenBy(ctx context.Context, server api.Server, w engine.Write, path fieldpath.Path, to string) (map[string]any, bool) {
	object := w.LiveObject
	if w.Live == nil {
		object = engine.Simulate(ctx, server, w).Object
	}
	shape := managedfields.ShapeOf(server.Types(w.Kind).ParseableType)
	now, pointers := shape.Lookup(object, path), fieldtree.Pointers(shape, object, path)
	if object == nil || len(now) != 1 || len(pointers) != 1 {
		return nil, false
	}
	another, ok := anotherValue(now[0])
	if !ok {
		return nil, false
	}
	o, err := ownership.Of(ctx, server, w.On(object))
	if err != nil {
		return nil, false
	}
	patch, err := o.Patching(to, w.Subresource, []report.PatchOperation{{Op: "replace", Path: pointers[0], Value: another}})
	if err != nil {
		return nil, false
	}
	r := o.Simulate(patch, object)
	return r.Object, !r.Outcome.Refused() && r.Object != nil
}

// anotherValue is a value of the same type that is valid where the given one is, as far
// as that can be: the next number, a bundle of certificates with an empty line, a list
// with its last item again, a map with one more key. It is false where there is none.
func anotherValue(v any) (any, bool) {
	switch v := v.(type) {
	case int64:
		return v + 1, true
	case string:
		bytes, err := base64.StdEncoding.DecodeString(v)
		return base64.StdEncoding.EncodeToString(append(bytes, '\n')), err == nil
	case []any:
		if len(v) == 0 {
			return nil, false
		}
		return append(slices.Clone(v), v[len(v)-1]), true
	case map[string]any:
		out := maps.Clone(v)
		out["ssactl-other"] = "another"
		return out, true
	}
	return nil, false
}

// Stop is the result if a manifest whose apply is accepted stops managing a
// field.
type Stop struct {
	Target report.Target `json:"target"`
	// Field is written as the API server writes it.
	Field      string     `json:"field" secret:"path"`
	Resolution Resolution `json:"resolution"`
}

// Stopping simulates for each of several fields of a manifest that the manifest
// stops managing it alone. Fields that the manifest does not have are left out, the
// others in their order, each once.
func Stopping(ctx context.Context, server api.Server, w engine.Write, fields []string) []Stop {
	if len(fields) == 0 {
		return nil
	}
	w.Verb, w.Force = api.Apply, false
	r := engine.Simulate(ctx, server, w)
	s := newSession(ctx, server, w, r, Judges{})
	paths := Paths(s.Shape, s.body)
	var out []Stop
	for _, field := range fields {
		path, found := paths[field]
		if !found {
			continue
		}
		delete(paths, field)
		c := Claim{Path: path}
		s.base = s.apply(s.withoutOthers([]Claim{c}, nil), holdBack)
		out = append(out, Stop{r.Target, field, s.stopManaging(&c)})
	}
	return out
}
