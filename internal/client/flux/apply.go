package flux

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// apply sends what a reconciliation does for one object.
func (f *flux) apply(r *client.Sequence, w engine.Write) {
	manifest := client.Manifest(w)
	if manifest == nil {
		r.Send(client.DryRun, w)
		return
	}
	live := r.Object()
	left := f.unbuilt(manifest)
	manifest = f.desired(r, w, manifest)
	if by, is := skipping(w, manifest, live); is {
		r.Omit(by)
		return
	}
	w.FieldValidation, w.Force = "", true
	w = client.WithManifest(w, manifest)
	if !f.dryRun(r, w, manifest, live) {
		if last := &r.Steps[len(r.Steps)-1]; left != "" && last.Result.Outcome == report.Invalid {
			last.Result = engine.Failure(r.On(w), fmt.Errorf("%s: %s", left, last.Result.Answer().Message))
		}
		return
	}
	tried := r.Last().Object
	// Upstream goes on with the object that it has deleted.
	if live != nil {
		live, _ = engine.LiveAt(r.Ctx, r.Server, w, w.Kind)
	}
	moved, accepted := f.cleanUp(r, w, manifest, live)
	if !accepted || r.Until == client.Apply {
		return
	}
	if live == nil {
		r.Send(client.Apply, w)
		return
	}
	var rules []objects.Pointer
	if f.name == "" || f.foreignTo(live) == "" {
		rules = f.rulesFor(tried)
		r.Omit(f.omissions(tried)...)
	}
	if !moved && !drifted(live, tried, rules) {
		return
	}
	lacking := func(p objects.Pointer) bool { return !f.settle(p, manifest, live, tried) }
	if i := slices.IndexFunc(rules, lacking); i >= 0 {
		at := strings.Join(rules[i], "/")
		r.Stop(client.Apply, w, "replace operation does not apply: doc is missing key: /"+at+": missing value")
		return
	}
	r.Send(client.Apply, client.WithManifest(w, manifest))
}

// desired is a manifest as Flux applies it: with the labels of its Kustomization, normalized by
// the Go type of its kind, and with the labels and annotations that all objects get.
func (f *flux) desired(r *client.Sequence, w engine.Write, manifest map[string]any) map[string]any {
	if f.name != "" {
		objects.Merge(manifest, "labels", map[string]string{fluxGroup + "name": f.name, fluxGroup + "namespace": f.namespace})
	}
	manifest, dropped := normalized(w, manifest)
	for _, err := range dropped {
		field := strings.Trim(strings.TrimPrefix(err.Error(), "unknown field "), `"`)
		r.Note("Flux drops ." + field + ": the Go type of the kind has no such field")
	}
	for _, key := range []string{"labels", "annotations"} {
		values, _, _ := unstructured.NestedStringMap(f.common, key)
		objects.Merge(manifest, key, values)
	}
	return manifest
}

// dryRun tries the manifest; where force says so, the object is deleted first if it is
// in the way.
func (f *flux) dryRun(r *client.Sequence, w engine.Write, manifest, live map[string]any) bool {
	tried := w
	tried.DryRun = true
	if r.Send(client.DryRun, tried) {
		return true
	}
	force := map[string]string{fluxGroup + "force": "enabled"}
	last := r.Last()
	unchangeable := client.MayRecreate(last) || last.Status != nil && immutableMessages.MatchString(last.Status.Message)
	if live == nil || !unchangeable || !(f.force || objects.HasAny(manifest, force) || objects.HasAny(live, force)) {
		return false
	}
	r.Retry()
	return r.Delete(w, "Background") && r.Send(client.DryRun, tried)
}

var immutableMessages = regexp.MustCompile(`is\simmutable|immutable\sfield`)

// drifted reports whether a dry run changes what Flux compares, but for ignored paths.
func drifted(live, tried map[string]any, ignored []objects.Pointer) bool {
	if len(ignored) > 0 {
		live, tried = runtime.DeepCopyJSON(live), runtime.DeepCopyJSON(tried)
		for _, p := range ignored {
			p.Remove(live)
			p.Remove(tried)
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
	return !same(objects.Labels(live), objects.Labels(tried)) ||
		!same(objects.Annotations(live), objects.Annotations(tried)) ||
		!reflect.DeepEqual(body(live), body(tried))
}

// variable is what Flux substitutes (fluxcd/pkg/kustomize, kustomize_varsub.go).
var variable = regexp.MustCompile(`\$\{[_A-Za-z][^}]*\}`)

// unbuilt says what of the work of the Kustomization the manifest shows not to be done;
// empty for nothing.
func (f *flux) unbuilt(manifest map[string]any) string {
	if _, sealed := manifest["sops"]; sealed && f.decrypts {
		return "the manifest is encrypted, and the Kustomization decrypts it"
	}
	if !f.substitutes || objects.HasAny(manifest, map[string]string{fluxGroup + "substitute": "disabled"}) {
		return ""
	}
	if name := variable.FindString(string(objects.Encode(manifest))); name != "" {
		return "the manifest has " + name + ", which the Kustomization substitutes"
	}
	return ""
}

// doubts say that the manifest is not yet what Flux applies.
func (f *flux) doubts(w engine.Write) []report.Caveat {
	if !f.substitutes && !f.decrypts || f.unbuilt(client.Manifest(w)) == "" {
		return nil
	}
	return []report.Caveat{{Kind: api.Input, Rule: report.RuleNotBuilt,
		Message: "The Kustomization substitutes variables or decrypts after the build, and the manifest still has what it replaces: Flux applies another object."}}
}
