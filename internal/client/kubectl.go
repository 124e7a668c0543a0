package client

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/engine/extract"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// KubectlManager is the default field manager of kubectl apply --server-side.
const KubectlManager = "kubectl"

// annotationKeeper is the field manager as which kubectl keeps the last-applied
// annotation.
const annotationKeeper = "kubectl-last-applied"

// Kubectl simulates kubectl apply --server-side of a manifest, with the manager and
// force of the write, as kubectl 0.36 sends it (pkg/cmd/apply/apply.go,
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
	return KubectlAfter(ctx, server, w, engine.Simulate(ctx, server, w))
}

// KubectlAfter is Kubectl where the result of the first request is known.
func KubectlAfter(ctx context.Context, server api.Server, w engine.Write, first report.Result) Run {
	r := sequence{ctx: ctx, server: server, Run: Once(first)}
	// kubectl looks at the answer, and the Scale of a scale subresource has no
	// annotations.
	if w.Verb != api.Apply || first.Outcome.Refused() || first.Deleted || w.Subresource == "scale" {
		return r.Run
	}
	// Requests that build on another are not those of a dry run.
	w.DryRun = false
	text, has := annotation(first.Object)
	if has && w.Manager == KubectlManager && len(annotationOwners(first.Object, metav1.ManagedFieldsOperationApply)) == 0 {
		if !r.send(KeepAnnotation, keepAnnotation(w, text)) {
			return r.Run
		}
	}
	if r.moveEntries(w) {
		r.send(ApplyAgain, w)
	}
	return r.Run
}

// keepAnnotation applies the annotation alone.
func keepAnnotation(w engine.Write, text any) engine.Write {
	apiVersion, kind := w.Kind.ToAPIVersionAndKind()
	metadata := map[string]any{"name": w.Name, "annotations": map[string]any{LastApplied: text}}
	if w.Namespace != "" {
		metadata["namespace"] = w.Namespace
	}
	w.Manager, w.Force = annotationKeeper, false
	return withBody(w, map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata})
}

// moveEntries patches managedFields; false where no entry is to move, or the server
// refuses.
func (r *sequence) moveEntries(w engine.Write) bool {
	updaters := AnnotationUpdaters(r.Object())
	if len(updaters) == 0 {
		return false
	}
	upgraded, err := Upgrade(r.Object(), updaters, w.Manager, "")
	if err != nil || upgraded == nil {
		return false
	}
	patch := UpgradePatch(upgraded)
	if metadata, _ := upgraded["metadata"].(map[string]any); metadata["resourceVersion"] == nil {
		// A live object on a server has one.
		patch = patch[:1]
	}
	w.Verb, w.Force = api.JSONPatch, false
	return r.send(MoveEntries, withBody(w, patch))
}

func withBody(w engine.Write, body any) engine.Write {
	// It has been decoded from JSON, and can be encoded.
	w, _ = extract.Send(w, body)
	return w
}
