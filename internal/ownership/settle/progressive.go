package settle

import (
	"cmp"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
)

// hashLabel is the label of pods by which Services of a Rollout select them.
const hashLabel = "rollouts-pod-template-hash"

// progressive are Argo Rollouts and Flagger, where an object of theirs among the inputs has them
// write this one, and the write sets the field: the selector of a Service, or the replicas of an
// idle target. It is false where what they write is not known: the hash that a Service selects by,
// and the weights of a route, which go by how far a rollout is. So it is where the write changes
// an object that another one generates. An entry may show what these write, and nothing else does.
func (w Write) progressive(before *ownership.Object) (out []other, known bool) {
	known = true
	if w.Result.Target.Subresource != "" {
		return nil, true
	}
	for _, c := range w.Claims.Of(w.Result.Target) {
		switch {
		case c.Manager() == w.Result.Manager:
		case c.Kind == writers.Selects && w.touches(".spec.selector"):
			was, _ := fieldtree.Value(before.Live, "spec", "selector", hashLabel).(string)
			hash := cmp.Or(c.Hash, was)
			if hash == "" {
				known = false
				continue
			}
			out = append(out, setting(c, fieldpath.MakePathOrDie("spec", "selector", hashLabel), hash))
		case c.Kind == writers.Weighs && w.changesBelow(writers.WeightsOf(w.Result.Target.Kind)),
			c.Kind == writers.Generates && len(w.Result.Changes) > 0:
			known = false
		case c.Kind == writers.Idles && w.touches(writers.Replicas):
			out = append(out, setting(c, fieldpath.MakePathOrDie("spec", "replicas"), int64(0)))
		}
	}
	return out, known
}

// changesBelow reports whether the write changes a field, or one in it.
func (w Write) changesBelow(names []string) bool {
	field := "." + strings.Join(names, ".")
	return slices.ContainsFunc(w.Result.Changes, func(c report.Change) bool {
		return managedfields.Within(c.Field, field) || managedfields.Within(field, c.Field)
	})
}

// setting is the writer of a claim, which sets one field of an object that has its parent.
func setting(c writers.Claim, path fieldpath.Path, to any) other {
	return other{manager: c.Manager(), by: c.By, next: func(o *ownership.Object) (ownership.Next, bool) {
		parent, _ := value(o.Shape, o.Live, path[:len(path)-1]).(map[string]any)
		if parent == nil || value(o.Shape, o.Live, path) == to {
			return ownership.Next{}, false
		}
		body, _ := fieldtree.With(o.Shape, o.Live, path, to).(map[string]any)
		return update(o, c.Manager(), "", body)
	}}
}
