package client

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

const fluxGroup = "kustomize.toolkit.fluxcd.io/"

// flux is a reconciliation of a Kustomization.
type flux struct {
	*Client
	// name and namespace are those of the Kustomization; empty where it is not known.
	name, namespace string
	prune, force    bool
	// inventory are the identities of what it applied last; nil where the Kustomization
	// does not say it.
	inventory map[string]bool
	taken     []takenManager
	ignored   []ignoreRule
	common    map[string]any
	// substitutes and decrypts say what the Kustomization does after the build.
	substitutes, decrypts bool
}

// takenManager is whose entries are taken over: those that begin with the name.
type takenManager struct {
	name      string
	operation metav1.ManagedFieldsOperationType
}

// makeFlux is a reconciliation of kustomize-controller (kustomization_controller.go,
// apply, and fluxcd/pkg/ssa, manager_apply.go, ApplyAllStaged).
func makeFlux(c *Client, s Settings) error {
	c.Force, c.Stops = true, true
	f := newFlux(c, s)
	c.send, c.plan, c.Prunes, c.doubt, c.sorted = f.apply, f.stages, f.prunes, f.doubts, inStages
	return nil
}

func newFlux(c *Client, s Settings) *flux {
	f := &flux{Client: c, prune: s.Prune, force: s.Force, taken: []takenManager{
		{"kubectl", metav1.ManagedFieldsOperationApply}, {"kubectl", metav1.ManagedFieldsOperationUpdate},
		{"before-first-apply", metav1.ManagedFieldsOperationUpdate}, {c.Manager, metav1.ManagedFieldsOperationUpdate},
	}}
	for _, name := range s.OverrideManagers {
		f.taken = append(
			f.taken,
			takenManager{name, metav1.ManagedFieldsOperationApply},
			takenManager{name, metav1.ManagedFieldsOperationUpdate},
		)
	}
	if len(s.IgnorePaths) > 0 {
		f.ignored = append(f.ignored, ignoreRule{paths: pointers(s.IgnorePaths)})
	}
	k := c.setting(s, kustomizations, owned{kustomizationOf, isKustomization})
	if k != nil {
		f.read(k)
		c.foreign = f.foreignTo
	}
	return f
}

// kustomizationOf is the Kustomization that the labels of a live object name, with its
// namespace where they have one.
func kustomizationOf(live map[string]any) (name string, certain bool) {
	labels := labelsOf(live)
	if name = labels[fluxGroup+"name"]; name == "" {
		return "", false
	}
	if namespace := labels[fluxGroup+"namespace"]; namespace != "" {
		name = namespace + "/" + name
	}
	return name, true
}

func isKustomization(name string, k *unstructured.Unstructured) bool {
	return name == k.GetName() || name == k.GetNamespace()+"/"+k.GetName() ||
		k.GetNamespace() == "" && strings.HasSuffix(name, "/"+k.GetName())
}

// foreignTo is the other Kustomization that a live object is of; empty for none.
func (f *flux) foreignTo(live map[string]any) string {
	name, _ := kustomizationOf(live)
	own := map[string]any{"metadata": map[string]any{"name": f.name, "namespace": f.namespace}}
	if name == "" || isKustomization(name, &unstructured.Unstructured{Object: own}) {
		return ""
	}
	return name
}

// read takes the settings of a Kustomization.
func (f *flux) read(k map[string]any) {
	f.name, f.namespace = text(k, "metadata", "name"), text(k, "metadata", "namespace")
	f.force, f.prune = f.force || truth(k, "spec", "force"), f.prune || truth(k, "spec", "prune")
	_, f.substitutes, _ = unstructured.NestedMap(k, "spec", "postBuild")
	_, f.decrypts, _ = unstructured.NestedMap(k, "spec", "decryption")
	f.common, _, _ = unstructured.NestedMap(k, "spec", "commonMetadata")
	if entries := list(k, "status", "inventory", "entries"); entries != nil {
		f.inventory = map[string]bool{}
		for _, item := range entries {
			entry, _ := item.(map[string]any)
			f.inventory[text(entry, "id")] = true
		}
	}
	for i, item := range list(k, "spec", "ignore") {
		rule, _ := item.(map[string]any)
		target, has, _ := unstructured.NestedMap(rule, "target")
		r := ignoreRule{paths: pointers(texts(list(rule, "paths"))), at: fieldpath.MakePathOrDie("spec", "ignore", i)}
		if has {
			r.target = target
		}
		f.ignored = append(f.ignored, r)
	}
}

// apply sends what a reconciliation does for one object.
func (f *flux) apply(r *sequence, w engine.Write) {
	manifest := manifestOf(w)
	if manifest == nil {
		r.send(DryRun, w)
		return
	}
	live := r.object()
	left := f.unbuilt(manifest)
	if f.name != "" {
		merge(manifest, "labels", map[string]string{fluxGroup + "name": f.name, fluxGroup + "namespace": f.namespace})
	}
	manifest, dropped := normalized(w, manifest)
	for _, err := range dropped {
		field := strings.Trim(strings.TrimPrefix(err.Error(), "unknown field "), `"`)
		r.notices = append(r.notices, "Flux drops ."+field+": the Go type of the kind has no such field")
	}
	for _, key := range []string{"labels", "annotations"} {
		values, _, _ := unstructured.NestedStringMap(f.common, key)
		merge(manifest, key, values)
	}
	if by, is := skipping(w, manifest, live); is {
		r.omit(by)
		return
	}
	w.FieldValidation, w.Force = "", true
	w = sending(w, manifest)
	if !f.dryRun(r, w, manifest, live) {
		if last := &r.steps[len(r.steps)-1]; left != "" && last.Result.Outcome == report.Invalid {
			last.Result = engine.Failure(r.on(w), fmt.Errorf("%s: %s", left, last.Result.Answer().Message))
		}
		return
	}
	tried := r.last().Object
	// Upstream goes on with the object that it has deleted.
	if live != nil {
		live, _ = engine.LiveAt(r.ctx, r.server, w, w.Kind)
	}
	moved, accepted := f.cleanUp(r, w, manifest, live)
	if !accepted || r.until == Apply {
		return
	}
	if live == nil {
		r.send(Apply, w)
		return
	}
	var rules []pointer
	if f.name == "" || f.foreignTo(live) == "" {
		rules = f.rulesFor(tried)
		r.omit(f.omissions(tried)...)
	}
	if !moved && !drifted(live, tried, rules) {
		return
	}
	for _, p := range rules {
		if !f.settle(p, manifest, live, tried) {
			r.stop(Apply, w, "replace operation does not apply: doc is missing key: /"+strings.Join(p, "/")+": missing value")
			return
		}
	}
	r.send(Apply, sending(w, manifest))
}

// variable is what Flux substitutes (fluxcd/pkg/kustomize, kustomize_varsub.go).
var variable = regexp.MustCompile(`\$\{[_A-Za-z][^}]*\}`)

// unbuilt says what of the work of the Kustomization the manifest shows not to be done;
// empty for nothing.
func (f *flux) unbuilt(manifest map[string]any) string {
	if _, sealed := manifest["sops"]; sealed && f.decrypts {
		return "the manifest is encrypted, and the Kustomization decrypts it"
	}
	if !f.substitutes || anyIn(manifest, map[string]string{fluxGroup + "substitute": "disabled"}) {
		return ""
	}
	if name := variable.FindString(string(encoded(manifest))); name != "" {
		return "the manifest has " + name + ", which the Kustomization substitutes"
	}
	return ""
}

// doubts say that the manifest is not yet what Flux applies.
func (f *flux) doubts(w engine.Write) []report.Caveat {
	if !f.substitutes && !f.decrypts || f.unbuilt(manifestOf(w)) == "" {
		return nil
	}
	return []report.Caveat{{Kind: api.Input, Rule: report.RuleNotBuilt,
		Message: "The Kustomization substitutes variables or decrypts after the build, and the manifest still has what it replaces: Flux applies another object."}}
}

// dryRun tries the manifest; where force says so, the object is deleted first if it is
// in the way.
func (f *flux) dryRun(r *sequence, w engine.Write, manifest, live map[string]any) bool {
	tried := w
	tried.DryRun = true
	if r.send(DryRun, tried) {
		return true
	}
	force := map[string]string{fluxGroup + "force": "enabled"}
	last := r.last()
	unchangeable := mayRecreate(last) || last.Status != nil && immutableMessages.MatchString(last.Status.Message)
	if live == nil || !unchangeable || !(f.force || anyIn(manifest, force) || anyIn(live, force)) {
		return false
	}
	r.retry()
	return r.delete(w, "Background") && r.send(DryRun, tried)
}

var immutableMessages = regexp.MustCompile(`is\simmutable|immutable\sfield`)

// anyIn reports whether the labels or annotations of an object have one of the values.
func anyIn(object map[string]any, values map[string]string) bool {
	if object == nil {
		return false
	}
	for key, value := range values {
		if strings.EqualFold(labelsOf(object)[key], value) || strings.EqualFold(annotationsOf(object)[key], value) {
			return true
		}
	}
	return false
}

// merge adds values to the labels or annotations of an object.
func merge(object map[string]any, key string, values map[string]string) {
	if len(values) == 0 {
		return
	}
	all, _, _ := unstructured.NestedNullCoercingStringMap(object, "metadata", key)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, values)
	_ = unstructured.SetNestedStringMap(object, all, "metadata", key)
}

// cleanUp takes over entries; moved is true where there is something to patch.
func (f *flux) cleanUp(r *sequence, w engine.Write, manifest, live map[string]any) (moved, accepted bool) {
	merges := map[string]string{fluxGroup + "ssa": "Merge"}
	if live == nil || anyIn(manifest, merges) || anyIn(live, merges) {
		return false, true
	}
	var patch []any
	remove := func(of, key string, values map[string]string) {
		if _, has := values[key]; has {
			patch = append(
				patch,
				map[string]any{"op": "remove", "path": "/metadata/" + of + "/" + strings.ReplaceAll(key, "/", "~1")},
			)
		}
	}
	for _, key := range []string{LastApplied, fluxGroup + "checksum", "fluxcd.io/sync-checksum"} {
		remove("annotations", key, annotationsOf(live))
	}
	remove("labels", "fluxcd.io/sync-gc-mark", labelsOf(live))
	if entries, edited := f.takeOver(entriesOf(live)); edited {
		patch = append(patch, Operation{Op: "replace", Path: "/metadata/managedFields", Value: entries})
	}
	if len(patch) == 0 {
		return false, true
	}
	w.Verb, w.Force = api.JSONPatch, false
	return true, r.send(MoveEntries, withBody(w, patch))
}

// takeOver are the entries with those of the managers that are taken over in the Apply
// entry of the controller (fluxcd/pkg/ssa, patch.go, PatchReplaceFieldsManagers).
func (f *flux) takeOver(entries []metav1.ManagedFieldsEntry) (out []metav1.ManagedFieldsEntry, edited bool) {
	var own *metav1.ManagedFieldsEntry
	for i, e := range entries {
		if e.Manager == f.Manager && e.Operation == metav1.ManagedFieldsOperationApply {
			own = &entries[i]
		}
	}
	takes := func(e metav1.ManagedFieldsEntry) bool {
		return e.Subresource == "" && slices.ContainsFunc(f.taken, func(t takenManager) bool {
			return e.Operation == t.operation && strings.HasPrefix(e.Manager, t.name)
		})
	}
	kept := own
	var merged metav1.ManagedFieldsEntry
	if own != nil {
		merged = *own
	}
	for i, e := range entries {
		switch {
		case kept == &entries[i]:
		case !takes(e):
			out = append(out, e)
		case own == nil:
			merged = e
			merged.Manager, merged.Operation = f.Manager, metav1.ManagedFieldsOperationApply
			own, edited = &merged, true
		default:
			merged.FieldsV1, edited = union(merged.FieldsV1, e.FieldsV1), true
		}
	}
	return append(out, merged), edited
}

// union are the fields of two entries.
func union(a, b *metav1.FieldsV1) *metav1.FieldsV1 {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	merged, err := guard.Value(func() (*metav1.FieldsV1, error) {
		var as, bs fieldpath.Set
		if err := as.FromJSON(a.GetRawReader()); err != nil {
			return nil, err
		}
		if err := bs.FromJSON(b.GetRawReader()); err != nil {
			return nil, err
		}
		raw, err := as.Union(&bs).ToJSON()
		return metav1.NewFieldsV1(string(raw)), err
	})
	if err != nil {
		return a
	}
	return merged
}

// drifted reports whether a dry run changes what Flux compares, but for ignored paths.
func drifted(live, tried map[string]any, ignored []pointer) bool {
	if len(ignored) > 0 {
		live, tried = runtime.DeepCopyJSON(live), runtime.DeepCopyJSON(tried)
		for _, p := range ignored {
			p.remove(live)
			p.remove(tried)
		}
	}
	same := func(a, b map[string]string) bool {
		return len(a) == 0 && len(b) == 0 || labels.Equals(a, b)
	}
	body := func(object map[string]any) map[string]any {
		out := maps.Clone(object)
		delete(out, "metadata")
		delete(out, "status")
		return out
	}
	return !same(labelsOf(live), labelsOf(tried)) || !same(annotationsOf(live), annotationsOf(tried)) ||
		!reflect.DeepEqual(body(live), body(tried))
}

// prunes reports whether the reconciliation deletes a live object.
func (f *flux) prunes(key Key, object func() map[string]any) (string, bool) {
	if !f.prune || f.name == "" {
		return "", false
	}
	if f.inventory != nil &&
		!f.inventory[key.Namespace+"_"+strings.ReplaceAll(key.Name, ":", "__")+"_"+key.Group+"_"+key.Kind] {
		return "", false
	}
	live := object()
	owner := labelsOf(live)
	kept := map[string]string{
		fluxGroup + "prune":     "disabled",
		fluxGroup + "reconcile": "disabled",
		fluxGroup + "ssa":       "Ignore",
	}
	ours := owner[fluxGroup+"name"] == f.name && owner[fluxGroup+"namespace"] == f.namespace
	return "Background", ours && !anyIn(live, kept)
}
