package ownership

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Apply is the next apply of one manager: the write, and the body that it sends. Its laws,
// which are the server's:
//
//   - Applying again what an entry was last applied with conflicts with nobody, and changes
//     nothing as long as the object has all of it.
//   - A refused apply leaves the object as it was.
//   - An apply without a field removes the field only where the manager's own Apply entry
//     has it and no other entry does, and the server does not fill it in again.
//   - An apply of a value that is live shares the field; one of another value conflicts
//     with each owner, unless it is forced.
type Apply struct {
	object *Object
	Write  engine.Write
	Body   any
	// Shape is that of the body.
	Shape managedfields.Shape
}

// By is the role in which a manager applies the object itself.
func By(manager string) managedfields.Role {
	return managedfields.Role{Manager: manager, Operation: managedfields.Apply}
}

// Last is the apply of what an entry's manager applied last, as far as the object tells.
func (o *Object) Last(e managedfields.Entry) (Apply, error) {
	w, body, err := engine.Last(o.Ctx, o.Server, o.Write, e)
	if err != nil {
		return Apply{}, err
	}
	return o.Apply(w, body), nil
}

// First is the apply of a role that has applied nothing yet.
func (o *Object) First(role managedfields.Role) Apply { return o.Sending(role, engine.Empty(o.Live)) }

// Sending is the apply of a manifest by a role, at the manifest's API version.
func (o *Object) Sending(role managedfields.Role, manifest map[string]any) Apply {
	version, _ := manifest["apiVersion"].(string)
	w := o.Write.WithBody(nil, nil)
	w.Verb, w.Kind, w.Manager, w.Subresource = api.Apply, o.KindAt(version), role.Manager, role.Subresource
	return o.Apply(w, manifest)
}

// Apply is an apply of a body.
func (o *Object) Apply(w engine.Write, body any) Apply {
	return Apply{o, w, body, managedfields.ShapeOf(o.Server.Types(w.Kind).ParseableType)}
}

// Without is the apply with a field left out of the body; false where it is not there.
func (a Apply) Without(path fieldpath.Path) (Apply, bool) {
	body, had := fieldtree.Without(a.Shape, a.Body, path)
	a.Body = body
	return a, had
}

// With is the apply with another value of a field.
func (a Apply) With(path fieldpath.Path, value any) Apply {
	a.Body = fieldtree.With(a.Shape, a.Body, path, value)
	return a
}

// Now simulates the apply to the object as it is.
func (a Apply) Now() Next { return a.on(a.Write, a.object.Live) }

// To simulates the apply to the object in a state; nil is no object.
func (a Apply) To(state map[string]any) Next { return a.on(a.Write.On(state), state) }

func (a Apply) on(w engine.Write, state map[string]any) Next {
	w, err := w.Send(a.Body)
	if err != nil {
		return Next{engine.Failure(w, err), state}
	}
	return Next{a.object.Send(a.object.Ctx, a.object.Server, w), state}
}

// Next is what a write does to an object in a state.
type Next struct {
	report.Result
	before map[string]any
}

// Left is the object afterwards: as it was, where the write is refused.
func (n Next) Left() map[string]any {
	if n.Object == nil {
		return n.before
	}
	return n.Object
}

// Against are the managers that the write conflicts with, sorted.
func (n Next) Against() []string {
	var out []string
	for _, c := range n.Conflicts {
		out = append(out, c.Manager)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Extends reports whether a value is another one with more keys in its maps, as the server
// fills defaults in. Same compares what is neither a map nor a list.
func Extends(value, said any, same func(value, said any) bool) bool {
	switch said := said.(type) {
	case map[string]any:
		has, ok := value.(map[string]any)
		for k, v := range said {
			at, there := has[k]
			ok = ok && there && Extends(at, v, same)
		}
		return ok
	case []any:
		has, ok := value.([]any)
		ok = ok && len(has) == len(said)
		for i := range said {
			ok = ok && Extends(has[i], said[i], same)
		}
		return ok
	}
	return same(value, said)
}
