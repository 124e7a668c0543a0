package client

import (
	"bytes"
	"context"
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/util/csaupgrade"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
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
	r := &sequence{ctx: ctx, server: server, write: w, sent: w}
	r.take(Step{Request: Apply, Result: first})
	r.kubectlGoesOn(w)
	return r.run()
}

// kubectlApply applies the manifest as kubectl does.
func (r *sequence) kubectlApply(w engine.Write) {
	if err := undecodable(w); err != nil {
		r.stop(Apply, w, err.Error())
		return
	}
	w = named(w)
	// A dry run changes nothing, and what kubectl sends after it says the same again.
	if r.send(Apply, w) && !w.DryRun {
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
	manifest := manifestOf(w)
	if manifest == nil {
		return w
	}
	return sending(w, manifest)
}

// kubectlGoesOn is what kubectl sends after its first request.
func (r *sequence) kubectlGoesOn(w engine.Write) {
	first := r.steps[len(r.steps)-1].Result
	// kubectl looks at the answer, and the Scale of a scale subresource has no
	// annotations.
	if w.Verb != api.Apply || first.Outcome.Refused() || first.Deleted || w.Subresource == "scale" {
		return
	}
	// Requests that build on another are not those of a dry run.
	w.DryRun = false
	text, has := annotation(first.Object)
	if has && w.Manager == KubectlManager && len(annotationOwners(first.Object, metav1.ManagedFieldsOperationApply)) == 0 {
		if !r.try(KeepAnnotation, keepAnnotation(w, text)) {
			return
		}
	}
	if updaters := AnnotationUpdaters(r.object()); len(updaters) > 0 && r.moveEntries(w, updaters, r.try) {
		r.try(ApplyAgain, w)
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
	return withBody(w, map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata})
}

// moveEntries sends the JSON patch of managedFields by which entries of managers join
// that of the write; false where no entry is to move, or the server refuses.
func (r *sequence) moveEntries(w engine.Write, from []string, send func(Request, engine.Write) bool) bool {
	upgraded, err := Upgrade(r.object(), from, w.Manager, "")
	if err != nil || upgraded == nil {
		return false
	}
	patch := UpgradePatch(upgraded)
	if metadata, _ := upgraded["metadata"].(map[string]any); metadata["resourceVersion"] == nil {
		// A live object on a server has one.
		patch = patch[:1]
	}
	w.Verb, w.Force = api.JSONPatch, false
	return send(MoveEntries, withBody(w, patch))
}

func withBody(w engine.Write, body any) engine.Write {
	// It has been decoded from JSON, and can be encoded.
	w, _ = w.Send(body)
	return w
}

// makeKubectl is kubectl apply.
func makeKubectl(c *Client, s Settings) error {
	c.send, c.Force = (*sequence).kubectlApply, s.ForceConflicts
	if s.ServerSide == "false" {
		c.Manager, c.ClientSide = clientSideManager, true
		c.send = func(r *sequence, w engine.Write) { r.clientSideApply(w) }
	}
	if s.Prune {
		return c.prune(s)
	}
	return nil
}

// Simulate is engine.Simulate of a write, with all requests of kubectl where the write
// is an apply as kubectl's own field manager.
func Simulate(ctx context.Context, server api.Server, w engine.Write) report.Result {
	if w.Manager != KubectlManager {
		return engine.Simulate(ctx, server, w)
	}
	return Kubectl(ctx, server, w).Whole()
}

// LastApplied is the annotation in which kubectl keeps the manifest of its last
// client-side apply.
const LastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// LastAppliedField is the field path of the annotation, and LastAppliedPointer its JSON
// pointer.
const (
	LastAppliedField   = ".metadata.annotations." + LastApplied
	LastAppliedPointer = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration"
)

// LastAppliedPath is the path of the annotation.
var LastAppliedPath = fieldpath.MakePathOrDie("metadata", "annotations", LastApplied)

// AnnotationUpdaters are the managers of the Update entries that own the last-applied
// annotation, sorted, each once. kubectl takes them for client-side appliers.
func AnnotationUpdaters(object map[string]any) []string {
	return annotationOwners(object, metav1.ManagedFieldsOperationUpdate)
}

// annotationOwners are the managers of the entries of an operation that own the
// annotation.
func annotationOwners(object map[string]any, operation metav1.ManagedFieldsOperationType) []string {
	if !namesAnnotation(object) {
		return nil
	}
	owners, err := guard.Value(func() (names []string, _ error) {
		for _, e := range csaupgrade.FindFieldsOwners(entriesOf(object), operation, fieldpath.NewSet(LastAppliedPath)) {
			names = append(names, e.Manager)
		}
		return names, nil
	})
	if err != nil {
		return nil
	}
	slices.Sort(owners)
	return slices.Compact(owners)
}

// namesAnnotation reports whether an entry names the annotation, without reading the
// others: most objects have none that does.
func namesAnnotation(object map[string]any) bool {
	metadata, _ := object["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	return slices.ContainsFunc(list, func(item any) bool {
		at := item
		for _, key := range []string{"fieldsV1", "f:metadata", "f:annotations", "f:" + LastApplied} {
			fields, _ := at.(map[string]any)
			if at = fields[key]; at == nil {
				return false
			}
		}
		return true
	})
}

// annotation is the last-applied annotation; false without.
func annotation(object map[string]any) (any, bool) {
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	text, ok := annotations[LastApplied]
	return text, ok
}

// lastApplied is the text of the annotation; nil without.
func lastApplied(object map[string]any) []byte {
	last, _ := annotation(object)
	text, _ := last.(string)
	return []byte(text)
}

// Upgrade is a copy of an object whose Update entries of managers join the Apply entry
// of another, as client-go's csaupgrade merges them; nil where no entry changes.
// Upstream takes the managers in no order; here they come as given.
func Upgrade(object map[string]any, managers []string, to, subresource string) (map[string]any, error) {
	return guard.Value(func() (map[string]any, error) {
		u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(object)}
		for _, name := range managers {
			if err := csaupgrade.UpgradeManagedFields(u, sets.New(name), to, csaupgrade.Subresource(subresource)); err != nil {
				return nil, err
			}
		}
		// Upstream compares bytes, and would also patch where the same fields only
		// stand in another order.
		if reflect.DeepEqual(u.GetManagedFields(), entriesOf(object)) {
			return nil, nil
		}
		return u.Object, nil
	})
}

// Operation is one operation of a JSON patch.
type Operation = report.PatchOperation

// UpgradePatch is the JSON patch by which upstream makes of an object what Upgrade
// does: it replaces the resourceVersion, so that another state is refused with 409.
func UpgradePatch(upgraded map[string]any) []Operation {
	u := &unstructured.Unstructured{Object: upgraded}
	var entries any = u.GetManagedFields()
	if len(u.GetManagedFields()) == 0 {
		entries = nil
	}
	return []Operation{
		{Op: "replace", Path: "/metadata/managedFields", Value: entries},
		{Op: "replace", Path: "/metadata/resourceVersion", Value: u.GetResourceVersion()},
	}
}

func entriesOf(object map[string]any) []metav1.ManagedFieldsEntry {
	return (&unstructured.Unstructured{Object: object}).GetManagedFields()
}
