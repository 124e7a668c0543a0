package client

import (
	"bytes"
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// KubectlManager is the default field manager of kubectl apply --server-side.
const KubectlManager = "kubectl"

// annotationKeeper is the field manager as which kubectl keeps the last-applied
// annotation.
const annotationKeeper = "kubectl-last-applied"

// Kubectl simulates kubectl apply --server-side of a manifest, with the manager and
// force of the write, as kubectl 0.37 sends it (pkg/cmd/apply/apply.go,
// applyOneObject):
//
//	Apply           the manifest. If it is refused, nothing follows.
//	KeepAnnotation  only as manager kubectl, where the object has the last-applied
//	                annotation and no Apply entry owns it: an apply of the annotation
//	                alone as kubectl-last-applied.
//	MoveEntries     a JSON patch of managedFields: each Update entry that owns the
//	                annotation joins the Apply entry of the manager.
//	ApplyAgain      where entries moved: the manifest again. It removes what the moved
//	                entries own and the manifest lacks.
//
// kubectl prints a warning where a request after the first is refused, and exits with
// 0. An object without the annotation takes one request.
func Kubectl(ctx context.Context, server api.Server, w engine.Write) Run {
	w = named(w)
	return KubectlAfter(ctx, server, w, engine.Simulate(ctx, server, w))
}

// KubectlAfter is Kubectl where the result of the first request is known.
func KubectlAfter(ctx context.Context, server api.Server, w engine.Write, first report.Result) Run {
	r := NewSequence(ctx, server, w)
	r.take(Step{Request: Apply, Result: first})
	r.kubectlGoesOn(w)
	return r.run()
}

// MovesQuietly are the managers, sorted, whose entries kubectl moves after an apply as another
// manager that leaves an object, where nothing is lost by it but the annotation: all else that
// they own has other owners. It is false, with nothing, where that has to be simulated.
func MovesQuietly(object map[string]any) ([]string, bool) {
	managers := AnnotationUpdaters(object)
	owners := managedfields.Of(object)
	var moved, others []*fieldpath.Set
	for _, e := range owners.Entries {
		switch {
		case e.Err != nil || e.APIVersion != object["apiVersion"]:
			return nil, false
		case e.Operation == managedfields.Update && slices.Contains(managers, e.Manager) && e.Subresource == "":
			moved = append(moved, e.Set)
		default:
			others = append(others, e.Set)
		}
	}
	kept := managedfields.Union(others...)
	_, has := Annotation(object)
	quiet := has && len(moved) == len(managers)
	managedfields.Union(moved...).Difference(kept).Iterate(func(path fieldpath.Path) {
		alone := len(objects.Annotations(object)) == 1 && path.Equals(LastAppliedPath[:2])
		quiet = quiet && (path.Equals(LastAppliedPath) || alone || stays(path, kept))
	})
	if !quiet {
		return nil, false
	}
	return managers, true
}

// stays reports whether a field is one in which somebody owns something: a map or list.
func stays(path fieldpath.Path, owned *fieldpath.Set) bool {
	for _, e := range path {
		if e.FieldName == nil {
			return false
		}
		owned = owned.WithPrefix(e)
	}
	return !owned.Empty()
}

// KubectlApply applies the manifest as kubectl does.
func (r *Sequence) KubectlApply(w engine.Write) {
	if err := Undecodable(w); err != nil {
		r.Stop(Apply, w, err.Error())
		return
	}
	w = named(w)
	// A dry run changes nothing, and what kubectl sends after it says the same again.
	if r.Send(Apply, w) && !w.DryRun {
		r.kubectlGoesOn(w)
	}
}

// named is a write of a manifest whose metadata.namespace kubectl fills in, where that can
// be seen: the server writes the manifest as it was sent to a last-applied annotation.
func named(w engine.Write) engine.Write {
	has := func(text []byte) bool { return bytes.Contains(text, []byte(LastApplied)) }
	if w.Verb != api.Apply || w.Namespace == "" || w.Subresource != "" || !has(w.Live) && !has(w.JSON) && !has(w.Body) {
		return w
	}
	manifest := Manifest(w)
	if manifest == nil {
		return w
	}
	return WithManifest(w, manifest)
}

// kubectlGoesOn is what kubectl sends after its first request.
func (r *Sequence) kubectlGoesOn(w engine.Write) {
	first := r.Steps[len(r.Steps)-1].Result
	// kubectl looks at the answer, and the Scale of a scale subresource has no
	// annotations.
	if w.Verb != api.Apply || first.Outcome.Refused() || first.Deleted || w.Subresource == "scale" {
		return
	}
	// Requests that build on another are not those of a dry run.
	w.DryRun = false
	text, has := Annotation(first.Object)
	if has && w.Manager == KubectlManager && len(annotationOwners(first.Object, metav1.ManagedFieldsOperationApply)) == 0 {
		if !r.Try(KeepAnnotation, keepAnnotation(w, text)) {
			return
		}
	}
	if updaters := AnnotationUpdaters(r.Object()); len(updaters) > 0 && r.MoveEntries(w, updaters, r.Try) {
		r.Try(ApplyAgain, w)
	}
}

// keepAnnotation applies the annotation alone.
func keepAnnotation(w engine.Write, text any) engine.Write {
	apiVersion, kind := w.Kind.ToAPIVersionAndKind()
	metadata := map[string]any{"name": w.Name, "annotations": map[string]any{LastApplied: text}}
	if w.Namespace != "" {
		metadata["namespace"] = w.Namespace
	}
	w.Manager, w.Force = annotationKeeper, false
	return WithBody(w, map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata})
}

// MoveEntries sends the JSON patch of managedFields by which entries of managers join
// that of the write; false where no entry is to move, or the server refuses.
func (r *Sequence) MoveEntries(w engine.Write, from []string, send func(Request, engine.Write) bool) bool {
	upgraded, err := Upgrade(r.Object(), from, w.Manager, "")
	if err != nil || upgraded == nil {
		return false
	}
	patch := UpgradePatch(upgraded)
	if metadata, _ := upgraded["metadata"].(map[string]any); metadata["resourceVersion"] == nil {
		// A live object on a server has one.
		patch = patch[:1]
	}
	w.Verb, w.Force = api.JSONPatch, false
	return send(MoveEntries, WithBody(w, patch))
}

// Simulate is engine.Simulate of a write, with all requests of kubectl where the write
// is an apply as kubectl's own field manager.
func Simulate(ctx context.Context, server api.Server, w engine.Write) report.Result {
	if w.Manager != KubectlManager {
		return engine.Simulate(ctx, server, w)
	}
	return Kubectl(ctx, server, w).Whole()
}
