package settle

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

// replayed is a writer that writes what its entry has, with the values before the write. An
// Apply entry is applied again, with force where its program forces; an Update entry is
// written into the object as it is then.
func (w Write) replayed(before *ownership.Object, e managedfields.Entry, kind writers.ManagerKind) other {
	out := other{manager: e.Manager, partial: guesses(e, kind)}
	if e.Operation == managedfields.Apply {
		applied, err := before.Last(e)
		out.next = func(o *ownership.Object) (ownership.Next, bool) {
			if err != nil {
				return ownership.Next{}, false
			}
			again := applied
			again.Write.Force = kind.Forces
			return again.To(o.Live), true
		}
		return out
	}
	out.next = func(o *ownership.Object) (ownership.Next, bool) {
		body, differs := restored(o, before, func(l engine.Leaf) bool {
			return managedfields.Covers(e.Set, l.Path) && w.mayWrite(e.Role, l.Field)
		})
		if !differs {
			return ownership.Next{}, false
		}
		return update(o, e.Manager, e.Subresource, body)
	}
	return out
}

// guesses reports whether a writer works out its values anew each time, from what no input
// says.
func guesses(e managedfields.Entry, kind writers.ManagerKind) bool {
	return kind.Kind == writers.Autoscaler && e.Subresource != "scale" || e.Manager == "karpenter"
}

// restored is the object with the values that fields had before, where they differ; false
// where none does.
func restored(o, before *ownership.Object, wanted func(engine.Leaf) bool) (map[string]any, bool) {
	var body any = o.Live
	differs := false
	for _, l := range engine.Difference(o.Shape, o.Live, before.Live) {
		if serverKept(l.Field) || l.Kind == report.Removed || !wanted(l) {
			continue
		}
		body, differs = fieldtree.With(o.Shape, body, l.Path, l.After), true
	}
	object, _ := body.(map[string]any)
	return object, differs
}

// update has a manager write an object, as a patch of what differs: a whole object would need
// the resourceVersion, which a file may not have. The number of replicas goes through the
// scale subresource where the manager's entry is of that.
func update(o *ownership.Object, manager, subresource string, body map[string]any) (ownership.Next, bool) {
	if subresource == "scale" {
		replicas := fieldtree.Value(body, "spec", "replicas")
		return scaled(o, manager, replicas)
	}
	from, errFrom := json.Marshal(o.Live)
	to, errTo := json.Marshal(body)
	patch, errPatch := jsonpatch.CreateMergePatch(from, to)
	if errors.Join(errFrom, errTo, errPatch) != nil {
		return ownership.Next{}, false
	}
	w := plain(o).WithBody(patch, nil)
	w.Verb, w.Manager, w.Subresource = api.MergePatch, manager, subresource
	return o.Simulate(w, o.Live), true
}

// scaled is a number of replicas written through the scale subresource.
func scaled(o *ownership.Object, manager string, replicas any) (ownership.Next, bool) {
	w := plain(o)
	w.Verb, w.Manager, w.Subresource = api.MergePatch, manager, "scale"
	w, err := w.Send(map[string]any{"spec": map[string]any{"replicas": replicas}})
	if err != nil || !slices.Contains(o.Server.Resource(o.Write.Kind).Subresources, "scale") {
		return ownership.Next{}, false
	}
	return o.Simulate(w, o.Live), true
}

// plain names the object of a write, and asks for no more than values and owners.
func plain(o *ownership.Object) engine.Write {
	return engine.Write{
		Kind: o.Write.Kind, Namespace: o.Write.Namespace, Name: o.Write.Name, Now: o.Write.Now, Schema: o.Write.Schema,
		Detail: engine.DetailOutcome, Lines: func(report.Result) bool { return false },
	}
}
