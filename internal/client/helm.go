package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// The metadata that Helm adds.
const (
	managedByLabel   = "app.kubernetes.io/managed-by"
	releaseName      = "meta.helm.sh/release-name"
	releaseNamespace = "meta.helm.sh/release-namespace"
	hookAnnotation   = "helm.sh/hook"
	hookPolicy       = "helm.sh/hook-delete-policy"
	resourcePolicy   = "helm.sh/resource-policy"
)

// helm is an install, or an upgrade of a release.
type helm struct {
	*Client
	Settings
	// deployed is the revision that is upgraded; nil for an install. last is the newest.
	deployed, last *release
	// uninstalled: the last revision says that the release is.
	uninstalled bool
	serverSide  bool
	// manifest are the objects of the deployed revision in their order, old the same by
	// their keys.
	manifest []map[string]any
	old      map[Key]map[string]any
	// adopts: an install finds objects of its own. absent are the objects that are not live.
	adopts bool
	absent map[Key]bool
	// crds are the manifests of crds/, served the kinds that an install has of them.
	crds   map[Key]bool
	served map[schema.GroupKind]bool
	// carrier is the hook that is told of a refusal for want of an object that is updated.
	carrier Key
	// others are the live objects of the release that no manifest names.
	others []string
	// writesMore: the run writes to others than those that it is refused for.
	writesMore bool
	// unknown says that the manifest of the deployed revision is not known, and what that
	// leaves open; empty where it is known.
	unknown string
	// end is where the run ends.
	end helmEnd
}

// makeHelm is helm upgrade --install (pkg/action/upgrade.go and install.go, and
// pkg/kube/client.go).
func makeHelm(c *Client, s Settings) error {
	c.Stops = true
	h := &helm{Client: c, Settings: s, old: map[Key]map[string]any{}}
	if err := h.find(); err != nil {
		return err
	}
	h.serverSide = h.method()
	c.Force, c.ClientSide = h.serverSide && s.ForceConflicts, !h.serverSide
	h.end = helmEnd{phase: finished}
	c.send, c.plan, c.Prunes, c.doubt, c.sorted = h.apply, h.check, h.prunes, h.doubts, h.inOrder
	c.hook = h.event
	c.Applied = func(key Key) map[string]any { return h.old[key] }
	c.owns = h.keeps
	c.Nameless = true
	return nil
}

// method is how the objects are applied.
func (h *helm) method() bool {
	switch {
	case h.Version == "3" || h.ServerSide == "false":
		return false
	case h.ServerSide == "true" || h.last == nil:
		return true
	}
	return !h.last.clientSide()
}

// check finds what Helm refuses before it writes anything, objects that exist and are of
// no or of another release, and else where the run ends.
func (h *helm) check(ctx context.Context, server api.Server, writes []engine.Write) {
	h.guess(writes)
	h.findCrds(writes)
	h.findUnknown(writes)
	if h.crdsFail(ctx, server, writes) {
		return
	}
	h.absent = map[Key]bool{}
	for _, w := range writes {
		h.absent[KeyOf(w)] = liveOf(w) == nil
	}
	removed := h.readDeployed(server)
	refused := h.refuse(server, writes)
	if len(refused) == 0 && removed.message != "" && len(writes) > 0 {
		refused = []Key{KeyOf(writes[0])}
		h.stopped[refused[0]] = removed
	}
	for _, w := range writes {
		key := KeyOf(w)
		live := liveOf(w)
		switch _, is := h.stopped[key]; {
		case is || h.crds[key]:
		case len(refused) > 0:
			h.stopped[key] = stopped{
				notice: fmt.Sprintf(
					"not applied: %s %s is refused, and with it the %s",
					refused[0].Kind,
					refused[0].Name,
					h.what("install", "upgrade"),
				),
			}
		case live != nil && h.deployed == nil && !h.isHook(w, manifestOf(w)):
			h.adopts = true
		}
	}
	if len(refused) > 0 {
		return
	}
	if h.CreateNamespace && h.deployed == nil {
		h.createsNamespace(h.Namespace, map[string]any{"labels": map[string]any{"name": h.Namespace}}, writes)
	}
	h.findEnd(ctx, server, writes)
}

// readDeployed finds the objects of the deployed revision, and gives why Helm cannot build
// them: the classic after an upgrade of the cluster (pkg/action/upgrade.go, performUpgrade,
// and helm/helm#7219).
func (h *helm) readDeployed(server api.Server) (removed stopped) {
	if h.deployed == nil {
		return stopped{}
	}
	var errs []error
	meant := ""
	// A release keeps its hooks elsewhere; what 'helm template' prints has them.
	for _, object := range flattened(slices.DeleteFunc(slices.Clone(h.manifest), isHook)) {
		key := h.keyIn(server, object)
		u := &unstructured.Unstructured{Object: object}
		if is := h.unbuilt(server, u.GroupVersionKind()); is != "" {
			meant = cmp.Or(meant, is)
			errs = append(errs, errors.New(Unmapped(u.GroupVersionKind(), u.GetNamespace(), u.GetName(), "")))
		}
		if key.Namespace != "" {
			_ = unstructured.SetNestedField(object, key.Namespace, "metadata", "namespace")
		}
		h.old[key] = object
	}
	if errs == nil {
		return stopped{}
	}
	return stopped{
		message: "unable to build kubernetes objects from current release manifest: " + utilerrors.NewAggregate(errs).Error(),
		notice:  "the manifest of the deployed revision has a kind that the server does not serve: " + meant + "; 'helm mapkubeapis' edits the release",
	}
}

// flattened are objects with the items of Lists instead of these, as Helm builds them
// (pkg/kube/client.go, Build).
func flattened(objects []map[string]any) []map[string]any {
	var out []map[string]any
	for _, object := range objects {
		kind, isList := strings.CutSuffix(text(object, "kind"), "List")
		items, has := object["items"].([]any)
		if !isList || !has {
			out = append(out, object)
			continue
		}
		var of []map[string]any
		for _, item := range items {
			one, _ := item.(map[string]any)
			if one == nil {
				continue
			}
			if text(one, "kind") == "" && kind != "" {
				one["kind"], one["apiVersion"] = kind, object["apiVersion"]
			}
			of = append(of, one)
		}
		out = append(out, flattened(of)...)
	}
	return out
}

// unbuilt is what is wrong with a kind of which Helm cannot build an object: the server does
// not serve it before the run; empty where nothing is.
func (h *helm) unbuilt(server api.Server, kind schema.GroupVersionKind) string {
	if meant := engine.Unserved(server, kind); meant != "" {
		return meant
	}
	if h.Brings(kind.GroupKind()) && !h.served[kind.GroupKind()] {
		return fmt.Sprintf(
			"no kind %s is served yet: Helm looks up all kinds before it sends anything, and the definition is among the same manifests; put it into crds/ of the chart, which an install applies first, or into a chart of its own",
			kind.Kind,
		)
	}
	return ""
}

// methods are the ways in which Helm applies.
var methods = map[bool]string{true: "server-side", false: "client-side"}

// what is one word for an install and another one for an upgrade.
func (h *helm) what(install, upgrade string) string {
	if h.deployed == nil {
		return install
	}
	return upgrade
}

// refuse has Helm refuse objects before it writes any, and gives their names. It builds
// all objects before it looks at the live ones (pkg/action/upgrade.go, prepareUpgrade and
// performUpgrade, and install.go, RunWithContext).
func (h *helm) refuse(server api.Server, writes []engine.Write) (refused []Key) {
	if h.last != nil && strings.HasPrefix(h.last.Info.Status, "pending-") {
		for _, w := range writes {
			refused = append(refused, KeyOf(w))
			h.Refuse(KeyOf(w), "another operation (install/upgrade/rollback) is in progress")
		}
		return refused
	}
	for _, w := range writes {
		if h.crds[KeyOf(w)] || h.isHook(w, manifestOf(w)) {
			continue
		}
		if meant := h.unbuilt(server, w.Kind); meant != "" {
			refused = append(refused, KeyOf(w))
			h.RefuseUnmapped(
				KeyOf(w),
				h.what(
					"unable to build kubernetes objects from release manifest: ",
					"",
				)+Unmapped(
					w.Kind, namespaceIn(w), w.Name, "",
				),
				meant,
			)
		} else if err := undecodable(w); err != nil {
			refused = append(refused, KeyOf(w))
			h.Refuse(KeyOf(w), err.Error())
		}
	}
	if len(refused) > 0 {
		return refused
	}
	for _, w := range writes {
		live := liveOf(w)
		if live == nil || h.Release == "" || h.old[KeyOf(w)] != nil || h.TakeOwnership || h.crds[KeyOf(w)] ||
			h.isHook(w, manifestOf(w)) {
			continue
		}
		if wrong := h.disowned(live); wrong != "" {
			refused = append(refused, KeyOf(w))
			h.Refuse(
				KeyOf(w),
				fmt.Sprintf(
					"unable to continue with %s: %s %q in namespace %q exists and cannot be imported into the current release: invalid ownership metadata; %s",
					h.what("install", "update"), w.Kind.Kind, w.Name, w.Namespace, wrong,
				),
			)
		}
	}
	return refused
}

// disowned is what keeps a live object from being of the release; empty for nothing.
func (h *helm) disowned(live map[string]any) string {
	var wrong []string
	require := func(of string, values map[string]string, key, want string) {
		switch value, has := values[key]; {
		case !has:
			wrong = append(wrong, fmt.Sprintf("%s validation error: missing key %q: must be set to %q", of, key, want))
		case value != want:
			wrong = append(
				wrong,
				fmt.Sprintf("%s validation error: key %q must equal %q: current value is %q", of, key, want, value),
			)
		}
	}
	require("label", labelsOf(live), managedByLabel, "Helm")
	require("annotation", annotationsOf(live), releaseName, h.Release)
	require("annotation", annotationsOf(live), releaseNamespace, h.Namespace)
	return strings.Join(wrong, "; ")
}

// apply sends what Helm does for one object.
func (h *helm) apply(r *sequence, w engine.Write) {
	manifest := manifestOf(w)
	if manifest == nil {
		r.send(Apply, w)
		return
	}
	w.FieldValidation, w.Force = "", false
	for phase := crdFiles; phase < finished && h.reaches(w, phase); phase++ {
		switch {
		case h.crds[KeyOf(w)]:
			if phase == crdFiles {
				h.installCrd(r, w, manifest)
			}
		case phase == crdFiles:
		case !h.isHook(w, manifest) && phase == updates:
			h.update(r, w, manifest)
		case phase == updates && h.carrier == KeyOf(w):
			r.stop(Patch, w, misforced)
		case h.isHook(w, manifest) && phase == removals:
			// A hook that was none in the deployed revision.
			if h.old[KeyOf(w)] != nil && annotationsOf(r.object())[resourcePolicy] != "keep" {
				remove(r, w)
			}
		case h.isHook(w, manifest):
			h.hook(r, w, manifest, phase)
		}
		if r.last().Outcome.Refused() {
			if h.writesMore && !h.RollbackOnFailure {
				r.notices = append(r.notices, takesBackNotice)
			}
			return
		}
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
func (h *helm) update(r *sequence, w engine.Write, manifest map[string]any) {
	merge(manifest, "labels", map[string]string{managedByLabel: "Helm"})
	if h.Release != "" {
		merge(manifest, "annotations", map[string]string{releaseName: h.Release, releaseNamespace: h.Namespace})
	}
	w = sending(w, manifest)
	live := r.object()
	switch wrong := h.unnamed(w); {
	case h.misforced():
		r.stop(Patch, w, misforced)
	case wrong != "":
		r.stop(Patch, w, wrong)
	case h.serverSide:
		h.applyServerSide(r, w, live)
	case live == nil || h.deployed == nil && !h.adopts:
		// An install that finds no object of its own asks for none again.
		r.create(w, manifest)
	case h.ForceReplace:
		if text(manifest, "metadata", "resourceVersion") == "" {
			_ = unstructured.SetNestedField(manifest, text(live, "metadata", "resourceVersion"), "metadata", "resourceVersion")
		}
		w.Verb = api.Update
		if h.Version != "3" {
			w.FieldValidation = "Strict"
		}
		r.send(Replace, sending(w, manifest))
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

func (h *helm) applyServerSide(r *sequence, w engine.Write, live map[string]any) {
	w.FieldValidation = "Strict"
	// The objects of an install are created without force.
	w.Force = h.ForceConflicts && (h.deployed != nil || h.adopts)
	upgrades := h.deployed == nil || h.deployed.clientSide()
	if live != nil && upgrades && !r.moveEntries(w, []string{w.Manager}, r.send) && r.last().Outcome.Refused() {
		return
	}
	r.send(Apply, w)
}

// patch is the client-side update of an object (pkg/kube/client.go, createPatch).
func (h *helm) patch(r *sequence, w engine.Write, manifest map[string]any) {
	old := h.old[KeyOf(w)]
	switch {
	case old == nil && h.absent[KeyOf(w)]:
		// A manifest of the same object came before in this run: the live object is the former.
		old = r.object()
	case old == nil:
		old = manifest
	}
	before, _ := json.Marshal(old)
	after, _ := json.Marshal(manifest)
	// Definitions have a Go type in Helm, without merge keys. A manifest that does not fit
	// its Go type is taken for one of a custom resource, whose patch is from the manifest
	// before; where that is not known, from the live object.
	threeWay := h.deployed == nil && h.TakeOwnership || w.Kind.Group == "apiextensions.k8s.io" || !h.knowsFormer()
	if _, err := typed(w.Kind, manifest); err == nil || threeWay {
		r.patch(w, before, after)
		return
	}
	patch, err := guard.Value(func() ([]byte, error) { return jsonpatch.CreateMergePatch(before, after) })
	if err != nil {
		r.stop(Patch, w, err.Error())
		return
	}
	r.sendPatch(w, api.MergePatch, patch)
}

// doubts say that the manifest before is not known, and that Helm takes back what it wrote.
func (h *helm) doubts(w engine.Write) (out []report.Caveat) {
	known := liveOf(w) == nil && len(h.others) == 0
	if h.unknown != "" && !known && !h.crds[KeyOf(w)] && !h.isHook(w, manifestOf(w)) {
		out = append(out, report.Caveat{Kind: api.Input, Rule: report.RuleNoRelease, Message: h.unknown})
	}
	if h.RollbackOnFailure && h.end.phase < finished && h.end.phase > crdFiles {
		out = append(
			out,
			report.Caveat{
				Kind:    api.Input,
				Message: "The run is refused, and Helm takes back what it wrote (--rollback-on-failure): that is not simulated.",
			},
		)
	}
	return out
}

// knowsFormer reports whether it is known what Helm compares the manifests with.
func (h *helm) knowsFormer() bool {
	return h.uninstalled || h.deployed == nil && h.TakeOwnership || h.deployed != nil && h.deployed.Manifest != ""
}

// prunes reports whether an upgrade deletes a live object.
func (h *helm) prunes(key Key, object func() map[string]any) (string, bool) {
	if h.old[key] == nil {
		return "", false
	}
	return "Background", annotationsOf(object())[resourcePolicy] != "keep"
}
