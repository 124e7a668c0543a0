package helm

import (
	"encoding/json"
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/server/api"
)

// apply sends what Helm does for one object.
func (h *helm) apply(r *client.Sequence, w engine.Write) {
	manifest := client.Manifest(w)
	if manifest == nil {
		r.Send(client.Apply, w)
		return
	}
	w.FieldValidation, w.Force = "", false
	for phase := crdFiles; phase < finished && h.reaches(w, phase); phase++ {
		h.applyIn(phase, r, w, manifest)
		if r.Last().Outcome.Refused() {
			if h.writesMore && !h.RollbackOnFailure {
				r.Note(takesBackNotice)
			}
			return
		}
	}
}

// applyIn sends what Helm does for one object in a phase.
func (h *helm) applyIn(phase helmPhase, r *client.Sequence, w engine.Write, manifest map[string]any) {
	switch {
	case h.crds[client.KeyOf(w)]:
		if phase == crdFiles {
			h.installCrd(r, w, manifest)
		}
	case phase == crdFiles:
	case !h.isHook(w, manifest) && phase == updates:
		h.update(r, w, manifest)
	case phase == updates && h.carrier == client.KeyOf(w):
		r.Stop(client.Patch, w, misforced)
	case h.isHook(w, manifest) && phase == removals:
		// A hook that was none in the deployed revision.
		if h.old[client.KeyOf(w)] != nil && objects.Annotations(r.Object())[resourcePolicy] != "keep" {
			remove(r, w)
		}
	case h.isHook(w, manifest):
		h.hook(r, w, manifest, phase)
	}
}

// takesBackNotice is said where a run that is refused has written to other objects.
const takesBackNotice = "with --rollback-on-failure Helm takes back what it wrote to the others: that is not simulated"

// misforced is the refusal of Helm to force where it updates client-side.
const misforced = "invalid client update option(s): forceConflicts enabled when serverSideApply disabled"

func (h *helm) misforced() bool {
	return h.ForceConflicts && !h.serverSide && (h.deployed != nil || h.adopts)
}

// update creates or updates an object.
func (h *helm) update(r *client.Sequence, w engine.Write, manifest map[string]any) {
	objects.Merge(manifest, "labels", map[string]string{managedByLabel: "Helm"})
	if h.Release != "" {
		objects.Merge(manifest, "annotations", map[string]string{
			client.ReleaseName: h.Release, client.ReleaseNamespace: h.marked(),
		})
	}
	w = client.WithManifest(w, manifest)
	live := r.Object()
	switch wrong := h.unnamed(w); {
	case h.misforced():
		r.Stop(client.Patch, w, misforced)
	case wrong != "":
		r.Stop(client.Patch, w, wrong)
	case h.serverSide:
		h.applyServerSide(r, w, live)
	case live == nil || h.deployed == nil && !h.adopts:
		// An install that finds no object of its own asks for none again.
		r.Create(w, manifest)
	case h.ForceReplace:
		if objects.Text(manifest, "metadata", "resourceVersion") == "" {
			_ = unstructured.SetNestedField(
				manifest,
				objects.Text(live, "metadata", "resourceVersion"),
				"metadata",
				"resourceVersion",
			)
		}
		w.Verb = api.Update
		if h.Version != "3" {
			w.FieldValidation = "Strict"
		}
		r.Send(client.Replace, client.WithManifest(w, manifest))
	default:
		h.patch(r, w, manifest)
	}
	h.noteLookup(r, w, live)
}

// unnamed is why Helm fails at an object without a name; empty where it does not: only a
// POST takes it, which is that of an install.
func (h *helm) unnamed(w engine.Write) string {
	const noName = "resource name may not be empty"
	switch {
	case w.Name != "":
		return ""
	case h.deployed != nil || h.adopts && h.Version != "3":
		return "could not get information about the resource: " + noName
	case h.serverSide:
		return fmt.Sprintf("server-side apply failed for object %s/ %s: %s", w.Namespace, w.Kind.String(), noName)
	}
	return ""
}

func (h *helm) applyServerSide(r *client.Sequence, w engine.Write, live map[string]any) {
	w.FieldValidation = "Strict"
	// The objects of an install are created without force.
	w.Force = h.ForceConflicts && (h.deployed != nil || h.adopts)
	upgrades := h.deployed == nil || h.deployed.clientSide()
	if live != nil && upgrades && !r.MoveEntries(w, []string{w.Manager}, r.Send) && r.Last().Outcome.Refused() {
		return
	}
	r.Send(client.Apply, w)
}

// patch is the client-side update of an object (pkg/kube/client.go, createPatch).
func (h *helm) patch(r *client.Sequence, w engine.Write, manifest map[string]any) {
	old := h.old[client.KeyOf(w)]
	switch {
	case old == nil && h.absent[client.KeyOf(w)]:
		// A manifest of the same object came before in this run: the live object is the former.
		old = r.Object()
	case old == nil:
		old = manifest
	}
	before, _ := json.Marshal(old)
	after, _ := json.Marshal(manifest)
	// Definitions have a Go type in Helm, without merge keys. A manifest that does not fit
	// its Go type is taken for one of a custom resource, whose patch is from the manifest
	// before; where that is not known, from the live object.
	threeWay := h.deployed == nil && h.TakeOwnership || w.Kind.Group == "apiextensions.k8s.io" || !h.knowsFormer()
	if _, err := objects.Typed(w.Kind, manifest); err == nil || threeWay {
		r.Patch(w, before, after)
		return
	}
	patch, err := guard.Value(func() ([]byte, error) { return jsonpatch.CreateMergePatch(before, after) })
	if err != nil {
		r.Stop(client.Patch, w, err.Error())
		return
	}
	r.SendPatch(w, api.MergePatch, patch)
}
