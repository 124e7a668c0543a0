package helm

import (
	"cmp"
	"strings"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
)

// hooking is what says whether a manifest, or its live object, is a hook: Helm reads the metadata of
// documents, so that the items of a List are hooks where the List is one, whatever they say themselves.
func hooking(w engine.Write, object map[string]any) map[string]any {
	if w.List == "" {
		return object
	}
	out := map[string]any{}
	objects.Merge(out, "annotations", w.ListHooks)
	return out
}

// event are the events of an install or an upgrade for which an object is a hook.
func (h *helm) event(w engine.Write, object map[string]any) string {
	var out []string
	for _, phase := range []helmPhase{preHooks, postHooks} {
		if h.asksFor(hooking(w, object), phase) {
			out = append(out, map[helmPhase]string{preHooks: "pre-", postHooks: "post-"}[phase]+h.what("install", "upgrade"))
		}
	}
	return strings.Join(out, ",")
}

func isHook(manifest map[string]any) bool {
	return objects.Annotations(manifest)[client.HookAnnotation] != ""
}

// runs reports whether a manifest is a hook of a phase.
func (h *helm) runs(w engine.Write, phase helmPhase) bool {
	return h.asksFor(hooking(w, client.Manifest(w)), phase)
}

// asksFor reports whether the annotations of an object make it a hook of a phase.
func (h *helm) asksFor(manifest map[string]any, phase helmPhase) bool {
	event := "upgrade"
	if h.deployed == nil {
		event = "install"
	}
	switch phase {
	case preHooks:
		return objects.HasOption(manifest, client.HookAnnotation, "pre-"+event)
	case postHooks:
		return objects.HasOption(manifest, client.HookAnnotation, "post-"+event)
	}
	return false
}

// hook deletes and creates a hook of a phase (pkg/action/hooks.go).
func (h *helm) hook(r *client.Sequence, w engine.Write, manifest map[string]any, phase helmPhase) {
	if !h.runs(w, phase) {
		return
	}
	of := hooking(w, manifest)
	policy := func(name string) bool {
		given := objects.Annotations(of)[client.HookPolicy] != ""
		return cmp.Or(w.List, w.Kind.Kind) != "CustomResourceDefinition" &&
			(objects.HasOption(of, client.HookPolicy, name) || !given && name == "before-hook-creation")
	}
	if err := client.Undecodable(w); err != nil {
		r.Stop(client.Create, w, err.Error())
		return
	}
	if policy("before-hook-creation") && !h.removeHook(r, w) {
		return
	}
	created := false
	if h.serverSide {
		w.FieldValidation = "Strict"
		created = r.Send(client.Apply, client.WithManifest(w, manifest))
	} else {
		created = r.Create(w, manifest)
	}
	if created && h.end.phase > phase && policy("hook-succeeded") {
		h.removeHook(r, w)
	}
}

// removeHook deletes a hook that is there. Helm 3 waits until it is gone.
func (h *helm) removeHook(r *client.Sequence, w engine.Write) bool {
	if h.Version == "3" {
		return r.Object() == nil || r.Delete(w, "Background")
	}
	return remove(r, w)
}

// remove deletes an object that is there, and goes on where finalizers keep it.
func remove(r *client.Sequence, w engine.Write) bool {
	return r.Object() == nil || r.SendDelete(w, "Background")
}
