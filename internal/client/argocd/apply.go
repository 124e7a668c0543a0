package argocd

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// apply sends what a sync does for one object.
func (a *argoCD) apply(r *client.Sequence, w engine.Write) {
	w.FieldValidation, w.Force = "", false
	manifest := client.Manifest(w)
	if manifest == nil || engine.Unserved(r.Server, w.Kind) != "" {
		r.Send(client.Apply, w)
		return
	}
	if client.KeyOf(w) == (client.Key{Kind: "Namespace", Name: a.namespace}) && a.ofNamespace != "" {
		r.Note(a.ofNamespace)
	}
	if !isArgoHook(manifest) {
		a.applyOnce(r, w, manifest)
		return
	}
	phases := len(stepsOf(manifest))
	if comes, known := a.phases[client.KeyOf(w)]; known {
		phases = min(phases, comes)
	}
	for phase := range max(phases, 1) {
		if !a.runHook(r, w, runtime.DeepCopyJSON(manifest), phase >= phases-1) {
			return
		}
	}
}

// applyOnce sends what a sync does for one object in one phase.
func (a *argoCD) applyOnce(r *client.Sequence, w engine.Write, manifest map[string]any) {
	live := r.Object()
	o := a.optionsOf(w, manifest, live)
	w = a.desired(r, w, manifest, live)
	if _, has := client.Annotation(manifest); has && o.replace && (live == nil || !o.definition) {
		// kubectl replace and create write the annotation anew where there is one.
		manifest = objects.Decode(client.Annotated(manifest))
	}
	if o.definition && o.replace && !tried(r, w, manifest, live) {
		return
	}
	if o.serverSide && !a.migrate(r, w, live) && r.Last().Outcome.Refused() {
		return
	}
	switch {
	case o.replace:
		a.replaceWith(r, w, manifest, live, o)
	case o.serverSide && o.force:
		r.Stop(client.Apply, w, "error validating options: --force cannot be used with --server-side")
	case o.serverSide:
		w.Force = true
		r.KubectlApply(w)
	default:
		a.clientSide(r, w, manifest, o.force)
	}
}

// tried sends the client-side dry run of what the sync replaces, which is here one of the server.
func tried(r *client.Sequence, w engine.Write, manifest, live map[string]any) bool {
	if live == nil {
		return true
	}
	dry := replacement(w, manifest, live, true)
	dry.DryRun = true
	return r.Send(client.DryRun, dry)
}

// options are how an object is synced: those of the sync, and its own.
type options struct {
	replace, force, serverSide bool
	// definition: the object is never deleted to be replaced.
	definition bool
}

func (a *argoCD) optionsOf(w engine.Write, manifest, live map[string]any) options {
	return options{
		replace: a.replace || eitherOption(manifest, live, "Replace=true"),
		force:   a.force || eitherOption(manifest, live, "Force=true"),
		serverSide: (a.serverSide || objects.HasOption(manifest, syncOptions, "ServerSideApply=true")) &&
			!objects.HasOption(manifest, syncOptions, "ServerSideApply=false"),
		definition: w.Kind.Kind == "CustomResourceDefinition" || w.Kind.Kind == "Namespace",
	}
}

// desired is a write with the manifest as Argo CD sends it: ignored fields have their live values where
// the sync respects that, and the object is tracked.
func (a *argoCD) desired(r *client.Sequence, w engine.Write, manifest, live map[string]any) engine.Write {
	whole := manifest
	if len(a.ignored) > 0 {
		whole = runtime.DeepCopyJSON(manifest)
	}
	respected, unknown := a.respect(manifest, live)
	if respected {
		r.Omit(a.omissions(whole, live)...)
	}
	if tracked := a.tracked(manifest, w); respected || tracked {
		w = client.WithManifest(w, manifest)
	}
	for _, why := range unknown {
		w.Caveats = append(slices.Clip(w.Caveats), report.Caveat{Kind: api.Input, Message: why})
	}
	return w
}

// replaceWith is kubectl create, replace, or replace --force. live is the object of before the entries moved.
func (a *argoCD) replaceWith(r *client.Sequence, w engine.Write, manifest, live map[string]any, o options) {
	if live == nil || o.force && !o.definition {
		w.Manager, w.UserAgent = "", argoAgent
		if live == nil {
			r.Create(w, manifest)
		} else {
			a.recreate(r, w, manifest)
		}
		return
	}
	if o.definition && r.MovesEntries() {
		// Its version is that of before the entries moved.
		live = map[string]any{"metadata": map[string]any{"resourceVersion": "1"}}
	} else {
		live = r.Object()
	}
	r.Send(client.Replace, replacement(w, manifest, live, o.definition))
}

// clientSide is kubectl auth reconcile of RBAC, and kubectl apply of all.
func (a *argoCD) clientSide(r *client.Sequence, w engine.Write, manifest map[string]any, force bool) {
	before := r.Object()
	if isRBAC(w) {
		auth := w
		auth.Manager, auth.UserAgent = "", argoAgent
		if !r.ReconcileRBAC(auth, manifest) {
			return
		}
		before = r.Object()
	}
	if r.ClientSideApply(w) || !force || before == nil || !client.MayRecreate(r.Last()) {
		return
	}
	if !a.recreate(r, w, objects.Decode(client.Annotated(manifest))) && r.Object() == nil {
		// kubectl puts the object back.
		unstructured.RemoveNestedField(before, "metadata", "resourceVersion")
		r.Try(client.Create, client.AsCreate(w, before))
	}
}

// migrate moves the entries of the client-side manager. Where the server refuses, the sync
// of the object ends.
func (a *argoCD) migrate(r *client.Sequence, w engine.Write, live map[string]any) bool {
	updates := func(e metav1.ManagedFieldsEntry) bool {
		return e.Manager == a.migrates && e.Operation == metav1.ManagedFieldsOperationUpdate
	}
	if a.migrates == "" || live == nil || !slices.ContainsFunc(objects.Entries(live), updates) {
		return true
	}
	return r.MoveEntries(w, []string{a.migrates}, func(request client.Request, patch engine.Write) bool {
		patch.Manager, patch.UserAgent = "", argoAgent
		return r.Send(request, patch)
	})
}

// replacement is the PUT of a manifest: of definitions and namespaces on the version of the
// live object, else on that of the manifest where it has one.
func replacement(w engine.Write, manifest, live map[string]any, definition bool) engine.Write {
	w.Verb, w.Force, w.Manager, w.UserAgent = api.Update, false, "", argoAgent
	if version := objects.Text(live, "metadata", "resourceVersion"); version != "" &&
		(definition || objects.Text(manifest, "metadata", "resourceVersion") == "") {
		manifest = runtime.DeepCopyJSON(manifest)
		_ = unstructured.SetNestedField(manifest, version, "metadata", "resourceVersion")
	}
	return client.WithManifest(w, manifest)
}

// recreate deletes the object and creates it; false where that is refused.
func (a *argoCD) recreate(r *client.Sequence, w engine.Write, object map[string]any) bool {
	if !r.Delete(w, "Background") {
		return false
	}
	r.Retry()
	return r.Create(w, object)
}

// eitherOption reports whether a manifest or its live object has a sync option.
func eitherOption(manifest, live map[string]any, value string) bool {
	return objects.HasOption(manifest, syncOptions, value) || live != nil && objects.HasOption(live, syncOptions, value)
}

func isRBAC(w engine.Write) bool {
	return w.Kind.GroupVersion().String() == "rbac.authorization.k8s.io/v1"
}
