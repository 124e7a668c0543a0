package engine

import (
	"encoding/base64"
	"slices"

	"github.com/go-openapi/jsonpointer"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/server/api"
)

// intent is what a write asks for, by field path of the main object.
type intent struct {
	verb  api.Verb
	shape managedfields.Shape
	// body is the decoded body; nil for a delete and what cannot be decoded.
	body any
	// foreign is true where the body is not the object but asks for something
	// of it: a Scale, a Binding.
	foreign bool
	// scale is true for the scale subresource.
	scale bool
	// operations are those of a JSON patch.
	operations []jsonOperation
	// previous is what the manager applied last; never nil, and empty for other verbs.
	previous func() *fieldpath.Set
	find     *managedfields.Finder
	// secret is the stringData of a Secret; nil without.
	secret map[string]any
}

func newIntent(
	w Write,
	shape managedfields.Shape,
	before func() managedfields.Owners,
	find *managedfields.Finder,
) intent {
	in := intent{verb: w.Verb, shape: shape, body: w.Decoded, find: find}
	in.previous = func() *fieldpath.Set { return fieldpath.NewSet() }
	switch w.Verb {
	case api.Apply:
		in.previous = func() *fieldpath.Set { return orEmpty(before().Roles()[w.role()]) }
	case api.JSONPatch:
		in.operations = jsonOperations(w.Decoded)
	case api.Delete:
		in.body = nil
	}
	body, _ := w.Decoded.(map[string]any)
	if w.Kind.Group == "" && w.Kind.Kind == "Secret" {
		in.secret, _ = body["stringData"].(map[string]any)
	}
	kind, named := body["kind"].(string)
	in.scale = w.Subresource == "scale"
	in.foreign = in.scale || named && w.Subresource != "" && kind != w.Kind.Kind
	return in
}

// scaleReplicas is where a Scale asks for the one value that it can ask for.
// Where the object keeps it is the kind's own affair.
var scaleReplicas = fieldpath.MakePathOrDie("spec", "replicas")

// asks gives the value that the write asks for at path. A value of null that
// is asked for is found, as nil.
func (in intent) asks(path fieldpath.Path) (any, bool) {
	if in.verb == api.JSONPatch {
		return in.patched(path)
	}
	if in.scale && !serverWritten(path) {
		return one(managedfields.Lookup(in.body, scaleReplicas))
	}
	if in.foreign {
		return nil, false
	}
	if v, ok := in.stringData(path); ok {
		return v, true
	}
	asked, asks := one(in.find.Lookup(in.shape, in.body, path))
	if item, _ := asked.(map[string]any); in.verb == api.StrategicPatch && item["$patch"] == "delete" {
		return nil, true
	}
	return asked, asks
}

// Asks reports whether a write asks for a value of a field that is not in a list.
func Asks(w Write, path fieldpath.Path) bool {
	if w.Decoded == nil {
		text := w.JSON
		if text == nil {
			text = w.Body
		}
		// What cannot be decoded asks for nothing.
		if decoded, err := jsontree.Decode(text); err == nil {
			w.Decoded = decoded
		}
	}
	value, asks := newIntent(w, managedfields.Shape{}, nil, &managedfields.Finder{}).asks(path)
	return asks && value != nil
}

// stringData is the value that a Secret's stringData asks for at a path of data. The server
// writes stringData over data (pkg/registry/core/secret/strategy.go).
func (in intent) stringData(path fieldpath.Path) (any, bool) {
	if in.secret == nil || len(path) != 2 || path[0].FieldName == nil || *path[0].FieldName != "data" ||
		path[1].FieldName == nil {
		return nil, false
	}
	text, ok := in.secret[*path[1].FieldName].(string)
	if !ok {
		return nil, false
	}
	return base64.StdEncoding.EncodeToString([]byte(text)), true
}

// writeOnly is the field of stringData that asks for one of data; nil for none.
func (in intent) writeOnly(path fieldpath.Path) fieldpath.Path {
	if _, ok := in.stringData(path); !ok {
		return nil
	}
	return fieldpath.MakePathOrDie("stringData", *path[1].FieldName)
}

// drops reports whether the write itself removes path: a PUT by leaving it out, a patch by
// naming it or a parent, an apply by a null parent.
func (in intent) drops(path fieldpath.Path) bool {
	switch in.verb {
	case api.Apply:
		return in.nulls(path)
	case api.Update:
		return !in.foreign && in.body != nil
	case api.MergePatch, api.StrategicPatch:
		return replaces(in.body, path)
	case api.JSONPatch:
		return in.touches(path)
	default:
		return false
	}
}

// nulls reports whether the body has null for a parent of path.
func (in intent) nulls(path fieldpath.Path) bool {
	for n := 1; n < len(path); n++ {
		found := in.find.Lookup(in.shape, in.body, path[:n])
		if len(found) == 0 {
			return false
		}
		if found[0] == nil {
			return true
		}
	}
	return false
}

// unowns reports whether an apply gives the path up: the manager applied it, something
// below it, or an atomic parent before, and the body no longer has it.
func (in intent) unowns(path fieldpath.Path) bool {
	set := in.previous()
	for i, pe := range path {
		at := path[:i+1]
		if set.Members.Has(pe) && !in.find.Has(in.shape, in.body, at) {
			return true
		}
		child, below := set.Children.Get(pe)
		if !below {
			return set.Members.Has(pe) && !in.find.Has(in.shape, in.body, path)
		}
		set = child
	}
	return !set.Empty()
}

// replaces reports whether a merge or strategic merge patch sets path or a parent of it to
// something that is not merged: null, a scalar, a list, or a map with a directive.
func replaces(patch any, path fieldpath.Path) bool {
	for _, pe := range path {
		m, ok := patch.(map[string]any)
		if !ok {
			return true
		}
		if hasDirective(m, pe) {
			return true
		}
		if pe.FieldName == nil {
			return false
		}
		if patch, ok = m[*pe.FieldName]; !ok {
			return false
		}
	}
	_, merged := patch.(map[string]any)
	return !merged
}

// hasDirective reports whether a strategic merge patch says more of a map than
// its values (apimachinery, strategicpatch/patch.go).
func hasDirective(m map[string]any, pe fieldpath.PathElement) bool {
	for _, key := range []string{"$patch", "$retainKeys"} {
		if _, ok := m[key]; ok {
			return true
		}
	}
	if pe.FieldName == nil {
		return false
	}
	_, ok := m["$deleteFromPrimitiveList/"+*pe.FieldName]
	return ok
}

type jsonOperation struct {
	// pointers are the unescaped segments of path and, for a move, from.
	pointers [][]string
	value    any
	hasValue bool
}

func jsonOperations(body any) []jsonOperation {
	list, _ := body.([]any)
	var out []jsonOperation
	for _, v := range list {
		m, _ := v.(map[string]any)
		op, _ := m["op"].(string)
		if op == "test" {
			continue
		}
		o := jsonOperation{}
		o.value, o.hasValue = m["value"]
		for _, key := range []string{"path", "from"} {
			text, ok := m[key].(string)
			if p, err := jsonpointer.New(text); err == nil && ok && (key == "path" || op == "move") {
				o.pointers = append(o.pointers, p.DecodedTokens())
			}
		}
		out = append(out, o)
	}
	return out
}

// patched is the value that the last operation on path or on a parent gives it. List
// positions are not followed.
func (in intent) patched(path fieldpath.Path) (any, bool) {
	for i := len(in.operations) - 1; i >= 0; i-- {
		op := in.operations[i]
		if len(op.pointers) == 0 || !op.hasValue {
			continue
		}
		p := op.pointers[0]
		if len(p) > len(path) || !slices.EqualFunc(p, path[:len(p)], names) {
			continue
		}
		shape := in.shape
		for _, pe := range path[:len(p)] {
			shape = shape.Child(pe)
		}
		return one(shape.Lookup(op.value, path[len(p):]))
	}
	return nil, false
}

func names(segment string, pe fieldpath.PathElement) bool {
	return pe.FieldName != nil && *pe.FieldName == segment
}

// touches reports whether an operation is on the path, a parent, or something
// below it. Any list position counts as any other.
func (in intent) touches(path fieldpath.Path) bool {
	meets := func(pointer []string) bool {
		for i := range min(len(pointer), len(path)) {
			if path[i].FieldName != nil && !names(pointer[i], path[i]) {
				return false
			}
		}
		return true
	}
	return slices.ContainsFunc(
		in.operations,
		func(op jsonOperation) bool { return slices.ContainsFunc(op.pointers, meets) },
	)
}
