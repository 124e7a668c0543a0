package client

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
)

// The annotations of hooks and waves.
const (
	syncWave      = "argocd.argoproj.io/sync-wave"
	syncHook      = "argocd.argoproj.io/hook"
	syncPolicy    = "argocd.argoproj.io/hook-delete-policy"
	hookFinalizer = "argocd.argoproj.io/hook-finalizer"
)

// argoStep is a phase and a wave in it.
type argoStep struct{ phase, wave int }

// syncPhase is that of objects that are no hooks.
const syncPhase = 1

// argoPhases are those of hooks: PreSync, Sync and PostSync, in their order.
var argoPhases = [][]string{{"PreSync", "pre-install", "pre-upgrade"}, {"Sync"}, {"PostSync", "post-install", "post-upgrade"}}

// isArgoHook reports whether a manifest is a hook of Argo CD or of Helm (gitops-engine,
// pkg/sync/hook/hook.go).
func isArgoHook(manifest map[string]any) bool {
	notes := annotationsOf(manifest)
	if hook, is := notes[syncHook]; is {
		return hook != "Skip"
	}
	return notes[hookAnnotation] != "" && notes[hookAnnotation] != "crd-install"
}

// stepOf is when a sync comes to an object; false where it does not.
func stepOf(manifest map[string]any) (argoStep, bool) {
	notes := annotationsOf(manifest)
	wave, err := strconv.Atoi(notes[syncWave])
	if err != nil {
		wave, _ = strconv.Atoi(notes["helm.sh/hook-weight"])
	}
	if !isArgoHook(manifest) {
		return argoStep{syncPhase, wave}, notes[syncHook] != "Skip"
	}
	key := syncHook
	if notes[key] == "" {
		key = hookAnnotation
	}
	phase := slices.IndexFunc(argoPhases, func(names []string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return option(manifest, key, name) })
	})
	return argoStep{phase, wave}, phase >= 0
}

// order finds what the sync does not come to: what no sync applies, and what is behind a
// step in which an object is refused (gitops-engine, pkg/sync/sync_context.go, Sync).
func (a *argoCD) order(ctx context.Context, server api.Server, writes []engine.Write) {
	steps := map[argoStep][]engine.Write{}
	for _, w := range writes {
		manifest := manifestOf(w)
		step, is := stepOf(manifest)
		if !is {
			a.stopped[keyOf(w)] = stopped{notice: "not applied: no sync has the phase of the hook " + cmp.Or(annotationsOf(manifest)[syncHook], annotationsOf(manifest)[hookAnnotation])}
			continue
		}
		steps[step] = append(steps[step], w)
	}
	if len(steps) < 2 {
		return
	}
	why := ""
	for _, step := range slices.SortedFunc(maps.Keys(steps), func(x, y argoStep) int { return cmp.Or(cmp.Compare(x.phase, y.phase), cmp.Compare(x.wave, y.wave)) }) {
		before := why
		for _, w := range steps[step] {
			switch {
			case before != "":
				a.stopped[keyOf(w)] = stopped{notice: before}
			case a.Simulate(ctx, server, w).Outcome.Refused():
				why = fmt.Sprintf("not applied: %s %s is refused, and with it the sync", w.Kind.Kind, w.Name)
				a.fails = true
				// Objects of no wave are pruned with wave 0.
				a.Stops = cmp.Or(cmp.Compare(step.phase, syncPhase), cmp.Compare(step.wave, 0)) < 0
			}
		}
	}
}

// hookDeleted reports whether a hook has a policy by which it is deleted.
func hookDeleted(manifest map[string]any, argo, helm string) bool {
	notes := annotationsOf(manifest)
	return option(manifest, syncPolicy, argo) || option(manifest, hookPolicy, helm) ||
		notes[syncPolicy] == "" && notes[hookPolicy] == "" && argo == "BeforeHookCreation"
}

// startHook makes room for a hook, and marks it; false where that is refused.
func (a *argoCD) startHook(r *sequence, w engine.Write, manifest map[string]any) bool {
	u := &unstructured.Unstructured{Object: manifest}
	if !slices.Contains(u.GetFinalizers(), hookFinalizer) {
		u.SetFinalizers(append(u.GetFinalizers(), hookFinalizer))
	}
	if r.object() == nil {
		return true
	}
	return a.release(r, w) && (!hookDeleted(manifest, "BeforeHookCreation", "before-hook-creation") || r.delete(w, "Background"))
}

// endHook lets a hook go that was applied, and deletes it where the sync succeeds.
func (a *argoCD) endHook(r *sequence, w engine.Write, manifest map[string]any) {
	if r.last().Outcome.Refused() || !a.release(r, w) || a.fails {
		return
	}
	if hookDeleted(manifest, "HookSucceeded", "hook-succeeded") {
		r.sendDelete(w, "Background")
	}
}

// release removes the finalizer of hooks from the object, if it has it.
func (a *argoCD) release(r *sequence, w engine.Write) bool {
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(r.object())}
	finalizers := u.GetFinalizers()
	if !slices.Contains(finalizers, hookFinalizer) {
		return true
	}
	u.SetFinalizers(slices.DeleteFunc(finalizers, func(f string) bool { return f == hookFinalizer }))
	w.Verb, w.Force, w.Manager, w.UserAgent = api.Update, false, "", argoAgent
	return r.send(Replace, sending(w, u.Object))
}
