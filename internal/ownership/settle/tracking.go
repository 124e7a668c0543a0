package settle

import (
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/writers"
)

// tracking is how a client marks the objects that one of its settings has: in which map of the
// metadata, by which key, and how the name of the setting stands in it.
type tracking struct {
	kind, in, key string
	name          func(mark string) string
}

// trackings are the marks of Argo CD (util/argo/resource_tracking.go) and of Flux
// (fluxcd/pkg/ssa, manager.go, SetOwnerLabels).
var trackings = []tracking{
	{"Application", "annotations", "argocd.argoproj.io/tracking-id", func(mark string) string {
		name, _, _ := strings.Cut(mark, ":")
		if _, plain, qualified := strings.Cut(name, "_"); qualified {
			return plain
		}
		return name
	}},
	{"Application", "labels", "app.kubernetes.io/instance", strings.Clone},
	{"Kustomization", "labels", "kustomize.toolkit.fluxcd.io/name", strings.Clone},
}

func (t tracking) of(object map[string]any) string {
	mark, _ := fieldtree.Value(object, "metadata", t.in, t.key).(string)
	return mark
}

func (t tracking) path() fieldpath.Path { return fieldpath.MakePathOrDie("metadata", t.in, t.key) }

// marked is the mark of a setting, by that of the own one. Argo CD qualifies the names of
// Applications outside of its own namespace.
func (t tracking) marked(own string, by, than writers.Tracker) string {
	if t.in == "labels" {
		return by.Name
	}
	name, rest, _ := strings.Cut(own, ":")
	qualified := strings.Contains(name, "_")
	switch {
	case by.Namespace == than.Namespace && qualified:
		name = by.Namespace + "_" + by.Name
	case by.Namespace != than.Namespace && !qualified && than.Namespace != "":
		name = by.Namespace + "_" + by.Name
	default:
		name = by.Name
	}
	return name + ":" + rest
}

// rivals are the same client with other settings of the inputs, which apply the object too. It
// is false where the object was marked by a setting that no input has.
//
//	the live object is marked with     it applies what its entry has, with force
//	another one, and the write marks
//	it anew
//	it says that it applies the        it marks the object; what else it applies is not
//	object, which has another's mark   known
func (w Write) rivals(before *ownership.Object) (out []other, known bool) {
	for _, t := range trackings {
		was, is := t.of(before.Live), t.of(w.Result.Object)
		if is == "" || !w.tracks(t) {
			continue
		}
		name := t.name(was)
		switch {
		case was == "" || name == t.name(is):
			return w.sharing(t, is), true
		case w.Trackers.Named(t.kind, name):
			return w.replays(before, t.kind+" "+name), true
		case t.in == "annotations":
			return nil, false
		}
	}
	return nil, true
}

// tracks reports whether the client of the write is the one that marks objects so.
func (w Write) tracks(t tracking) bool {
	m, is := writers.ManagerNamed(w.Result.Manager, managedfields.Apply)
	if !is {
		return false
	}
	return t.kind == "Application" && m.Applies == "argocd-controller" ||
		t.kind == "Kustomization" && m.Applies == "kustomize-controller"
}

// replays is the other setting, which applies what the entry of the client has.
func (w Write) replays(before *ownership.Object, by string) []other {
	for _, e := range before.Owners().Readable() {
		if e.Subresource != "" || !w.own(e.Role) {
			continue
		}
		one := w.replayed(before, e, writers.ManagerKind{Forces: true})
		one.by = by
		return []other{one}
	}
	return nil
}

// sharing are the other settings that say that they apply the object, though it has the mark of
// this one.
func (w Write) sharing(t tracking, mark string) (out []other) {
	for _, one := range w.Trackers.Of(w.Result.Target) {
		if one.Kind != t.kind || one == w.Own || w.Own.Name == "" && one.Name == t.name(mark) {
			continue
		}
		marked := t.marked(mark, one, w.Own)
		if marked == mark {
			continue
		}
		out = append(out, other{manager: w.Result.Manager, by: one.String(), partial: true,
			next: func(o *ownership.Object) (ownership.Next, bool) {
				if t.of(o.Live) == marked {
					return ownership.Next{}, false
				}
				body, _ := fieldtree.With(o.Shape, o.Live, t.path(), marked).(map[string]any)
				return update(o, w.Result.Manager, "", body)
			}})
	}
	return slices.Clip(out)
}
