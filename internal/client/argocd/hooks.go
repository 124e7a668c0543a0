package argocd

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
)

// event are the phases of a sync for which a manifest is a hook.
func (a *argoCD) event(_ engine.Write, manifest map[string]any) string {
	if !isArgoHook(manifest) {
		return ""
	}
	var phases []string
	for _, step := range stepsOf(manifest) {
		phases = append(phases, argoPhases[step.phase][0])
	}
	return strings.Join(phases, ",")
}

// isArgoHook reports whether a manifest is a hook of Argo CD or of Helm (gitops-engine,
// pkg/sync/hook/hook.go).
func isArgoHook(manifest map[string]any) bool {
	notes := objects.Annotations(manifest)
	if hook, is := notes[syncHook]; is {
		return hook != "Skip"
	}
	return notes[client.HookAnnotation] != "" && notes[client.HookAnnotation] != "crd-install"
}

// nameOfHook is the name of a hook with generateName (gitops-engine,
// pkg/sync/sync_context.go, getSyncTasks), with placeholders for the revision and the time.
func nameOfHook(manifest map[string]any) string {
	step, runs := stepOf(manifest)
	prefix := objects.Text(manifest, "metadata", "generateName")
	if !isArgoHook(manifest) || prefix == "" {
		return ""
	}
	phase := "hook"
	if runs {
		phase = strings.ToLower(argoPhases[step.phase][0])
	}
	return prefix + "revision-" + phase + "-time"
}

// hookDeleted reports whether a hook has a policy by which it is deleted.
func hookDeleted(manifest map[string]any, argo, helm string) bool {
	notes := objects.Annotations(manifest)
	return objects.HasOption(manifest, syncPolicy, argo) || objects.HasOption(manifest, client.HookPolicy, helm) ||
		notes[syncPolicy] == "" && notes[client.HookPolicy] == "" && argo == "BeforeHookCreation"
}

// runHook runs a hook in one of its phases, the last or another one; false where the sync ends there.
func (a *argoCD) runHook(r *client.Sequence, w engine.Write, manifest map[string]any, last bool) bool {
	if !a.startHook(r, w, manifest) {
		return false
	}
	a.applyOnce(r, client.WithManifest(w, manifest), manifest)
	return a.endHook(r, w, manifest, last)
}

// startHook makes room for a hook, and marks it; false where that is refused.
func (a *argoCD) startHook(r *client.Sequence, w engine.Write, manifest map[string]any) bool {
	u := &unstructured.Unstructured{Object: manifest}
	u.SetName(w.Name)
	if !slices.Contains(u.GetFinalizers(), hookFinalizer) {
		u.SetFinalizers(append(u.GetFinalizers(), hookFinalizer))
	}
	if r.Object() == nil {
		return true
	}
	return a.release(r, w) &&
		(!hookDeleted(manifest, "BeforeHookCreation", "before-hook-creation") || r.Delete(w, "Background"))
}

// endHook lets a hook go that was applied, and deletes it where the sync succeeds, once the last phase is
// through; false where the sync ends.
func (a *argoCD) endHook(r *client.Sequence, w engine.Write, manifest map[string]any, last bool) bool {
	if r.Last().Outcome.Refused() || !a.release(r, w) {
		return false
	}
	if last && !a.fails && hookDeleted(manifest, "HookSucceeded", "hook-succeeded") {
		r.SendDelete(w, "Background")
	}
	return true
}

// release removes the finalizer of hooks from the object, if it has it.
func (a *argoCD) release(r *client.Sequence, w engine.Write) bool {
	u := &unstructured.Unstructured{Object: r.Object()}
	finalizers := u.GetFinalizers()
	if !slices.Contains(finalizers, hookFinalizer) {
		return true
	}
	finalizers = slices.DeleteFunc(finalizers, func(f string) bool { return f == hookFinalizer })
	// It is a PUT, for which an object that was created here has no version to name.
	patch := []client.Operation{{Op: "replace", Path: "/metadata/finalizers", Value: finalizers}}
	w.Verb, w.Force, w.Manager, w.UserAgent = api.JSONPatch, false, "", argoAgent
	return r.Send(client.Replace, client.WithBody(w, patch))
}
