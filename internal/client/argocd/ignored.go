package argocd

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/client/pathquery"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/server/api"
)

// ignoredDifference is a rule of ignoreDifferences.
type ignoredDifference struct {
	group, kind, namespace, name string
	pointers, managers           []string
	queries                      []pathquery.Query
}

// ignoredDifferences are the rules of an Application. The error is that of a query that
// cannot be read; Argo CD fails to compare then.
func ignoredDifferences(app map[string]any) (out []ignoredDifference, err error) {
	budget := &pathquery.Budget{}
	for _, item := range objects.List(app, "spec", "ignoreDifferences") {
		rule, _ := item.(map[string]any)
		d := ignoredDifference{
			group: objects.Text(
				rule,
				"group",
			), kind: objects.Text(rule, "kind"), namespace: objects.Text(rule, "namespace"), name: objects.Text(rule, "name"),
			pointers: objects.Texts(
				objects.List(rule, "jsonPointers"),
			), managers: objects.Texts(objects.List(rule, "managedFieldsManagers")),
		}
		if d.queries, err = pathquery.Read(objects.Texts(objects.List(rule, "jqPathExpressions")), budget); err != nil {
			return nil, fmt.Errorf("jqPathExpressions of ignoreDifferences: %w", err)
		}
		out = append(out, d)
	}
	return out, nil
}

func (d ignoredDifference) matches(w map[string]any) bool {
	u := &unstructured.Unstructured{Object: w}
	is := func(pattern, text string) bool { return pattern == "" || pattern == "*" || pattern == text }
	kind := u.GroupVersionKind()
	return is(d.kind, kind.Kind) && (d.group == kind.Group || d.group == "*") && is(d.namespace, u.GetNamespace()) &&
		is(d.name, u.GetName())
}

// respect gives the fields of a manifest that rules ignore the values that they have in
// the live object; false where that changes nothing. As upstream, it removes the fields
// from both, and patches the manifest with what the live object lost (argo-cd,
// controller/sync.go, normalizeTargetResources). Unknown names the rules whose fields are not known.
func (a *argoCD) respect(manifest, live map[string]any) (changed bool, unknown []string) {
	if live == nil || a.app != nil && a.foreignTo(live) != "" ||
		!slices.ContainsFunc(a.ignored, func(d ignoredDifference) bool { return d.matches(manifest) }) {
		return false, nil
	}
	target, ofManifest := a.normalized(manifest, live)
	rest, ofLive := a.normalized(live, live)
	for _, why := range slices.Concat(ofManifest, ofLive) {
		if !slices.Contains(unknown, why) {
			unknown = append(unknown, why)
		}
	}
	patched, err := guard.Value(func() (map[string]any, error) { return withLost(target, rest, live) })
	if err != nil || reflect.DeepEqual(patched, manifest) {
		return false, unknown
	}
	clear(manifest)
	maps.Copy(manifest, patched)
	return true, unknown
}

// normalized is a copy of an object without what rules ignore, and what of that is not known.
func (a *argoCD) normalized(object, live map[string]any) (out map[string]any, unknown []string) {
	out = runtime.DeepCopyJSON(object)
	for _, rule := range a.ignored {
		if !rule.matches(object) {
			continue
		}
		for _, p := range rule.pointers {
			objects.ParsePointer(p).Remove(out)
		}
		for _, query := range rule.queries {
			left, err := query.Delete(out, a.disguise)
			if err != nil {
				unknown = append(unknown, fmt.Sprintf(
					"%s is not evaluated: %v. Argo CD may keep live values where the manifest is applied here.", query.Name(), err))
			}
			out = left
		}
		rule.removeOwned(out, live)
	}
	return out, unknown
}

// removeOwned removes what managers of the rule own in the live object.
func (d ignoredDifference) removeOwned(object, live map[string]any) {
	if len(d.managers) == 0 {
		return
	}
	var found []objects.Pointer
	for _, owned := range managedfields.Of(live).Paths() {
		if !slices.ContainsFunc(
			owned.By,
			func(e managedfields.Entry) bool { return slices.Contains(d.managers, e.Manager) },
		) {
			continue
		}
		for _, p := range objects.Located(owned.Path, object) {
			value, _ := p.Get(object)
			if _, isMap := value.(map[string]any); !isMap {
				found = append(found, p)
			}
		}
	}
	// Items of a list keep their places until the last ones are gone.
	for _, p := range slices.Backward(found) {
		p.Remove(object)
	}
}

// withLost is a manifest with what a live object lost.
func withLost(target, rest, live map[string]any) (map[string]any, error) {
	strip := func(object map[string]any) []byte {
		object = maps.Clone(object)
		delete(object, "status")
		text, _ := json.Marshal(object)
		return text
	}
	manifest, err := json.Marshal(target)
	if err != nil {
		return nil, err
	}
	kind := (&unstructured.Unstructured{Object: target}).GroupVersionKind()
	verb, patch, err := client.ThreeWay(kind, strip(live), strip(live), strip(rest))
	switch {
	case err != nil:
		return nil, err
	case verb == api.MergePatch:
		manifest, err = jsonpatch.MergePatch(manifest, patch)
	default:
		object, _ := scheme.Scheme.New(kind)
		manifest, err = strategicpatch.StrategicMergePatch(manifest, patch, object)
	}
	return objects.Decode(manifest), err
}

// omissions are the rules of ignoreDifferences that take something out of a manifest.
func (a *argoCD) omissions(manifest, live map[string]any) (out []client.Omission) {
	key := client.KeyIn(about.Applications, objects.Text(a.app, "metadata", "namespace"), a.appName())
	for i, rule := range a.ignored {
		if !rule.matches(manifest) {
			continue
		}
		only := *a
		only.ignored = a.ignored[i : i+1]
		rest, _ := only.normalized(manifest, live)
		out = append(out, client.Omission{
			Setting: "ignoreDifferences of the Application " + key.Name,
			Source:  a.SettingLine(key, fieldpath.MakePathOrDie("spec", "ignoreDifferences", i)),
			Covers: func(at []objects.Pointer) bool {
				return slices.ContainsFunc(at, func(p objects.Pointer) bool {
					was, _ := p.Get(manifest)
					is, stays := p.Get(rest)
					return !stays || !reflect.DeepEqual(was, is)
				})
			},
		})
	}
	return out
}

// appName is the name of the Application that the settings are from.
func (a *argoCD) appName() string { return objects.Text(a.app, "metadata", "name") }
