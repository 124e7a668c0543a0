package client

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/itchyny/gojq"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/managedfields"
)

// ignoredDifference is a rule of ignoreDifferences.
type ignoredDifference struct {
	group, kind, namespace, name string
	pointers, managers           []string
	queries                      []*gojq.Code
}

// ignoredDifferences are the rules of an Application. The error is that of a query that
// cannot be read; Argo CD fails to compare then.
func ignoredDifferences(app map[string]any) (out []ignoredDifference, err error) {
	for _, item := range list(app, "spec", "ignoreDifferences") {
		rule, _ := item.(map[string]any)
		d := ignoredDifference{
			group: text(rule, "group"), kind: text(rule, "kind"), namespace: text(rule, "namespace"), name: text(rule, "name"),
			pointers: texts(list(rule, "jsonPointers")), managers: texts(list(rule, "managedFieldsManagers")),
		}
		for _, expression := range texts(list(rule, "jqPathExpressions")) {
			query, err := gojq.Parse("del(" + expression + ")")
			if err != nil {
				return nil, fmt.Errorf("jqPathExpressions of ignoreDifferences: %w", err)
			}
			code, err := gojq.Compile(query)
			if err != nil {
				return nil, fmt.Errorf("jqPathExpressions of ignoreDifferences: %w", err)
			}
			d.queries = append(d.queries, code)
		}
		out = append(out, d)
	}
	return out, nil
}

func (d ignoredDifference) matches(w map[string]any) bool {
	u := &unstructured.Unstructured{Object: w}
	is := func(pattern, text string) bool { return pattern == "" || pattern == "*" || pattern == text }
	kind := u.GroupVersionKind()
	return is(d.kind, kind.Kind) && (d.group == kind.Group || d.group == "*") && is(d.namespace, u.GetNamespace()) && is(d.name, u.GetName())
}

// respect gives the fields of a manifest that rules ignore the values that they have in
// the live object; false where that changes nothing. As upstream, it removes the fields
// from both, and patches the manifest with what the live object lost (argo-cd,
// controller/sync.go, normalizeTargetResources).
func (a *argoCD) respect(manifest, live map[string]any) bool {
	if live == nil || !slices.ContainsFunc(a.ignored, func(d ignoredDifference) bool { return d.matches(manifest) }) {
		return false
	}
	target, rest := a.normalized(manifest, live), a.normalized(live, live)
	patched, err := guard.Value(func() (map[string]any, error) { return withLost(target, rest, live) })
	if err != nil || same(patched, manifest) {
		return false
	}
	clear(manifest)
	maps.Copy(manifest, patched)
	return true
}

// normalized is a copy of an object without what rules ignore.
func (a *argoCD) normalized(object, live map[string]any) map[string]any {
	out := runtime.DeepCopyJSON(object)
	for _, rule := range a.ignored {
		if !rule.matches(object) {
			continue
		}
		for _, p := range rule.pointers {
			parsePointer(p).remove(out)
		}
		for _, query := range rule.queries {
			out = without(out, query)
		}
		rule.removeOwned(out, live)
	}
	return out
}

// queryLimit is how long Argo CD has a query run.
const queryLimit = time.Second

// without is an object after a query, and as it was where that fails.
func without(object map[string]any, query *gojq.Code) map[string]any {
	ctx, cancel := context.WithTimeout(context.Background(), queryLimit)
	defer cancel()
	encoded, err := json.Marshal(object)
	if err != nil {
		return object
	}
	var input any
	if json.Unmarshal(encoded, &input) != nil {
		return object
	}
	result, _ := query.RunWithContext(ctx, input).Next()
	left, is := result.(map[string]any)
	if !is {
		return object
	}
	if encoded, err = json.Marshal(left); err != nil {
		return object
	}
	return decoded(encoded)
}

// removeOwned removes what managers of the rule own in the live object.
func (d ignoredDifference) removeOwned(object, live map[string]any) {
	if len(d.managers) == 0 {
		return
	}
	var found []pointer
	for _, owned := range managedfields.Of(live).Paths() {
		if !slices.ContainsFunc(owned.By, func(e managedfields.Entry) bool { return slices.Contains(d.managers, e.Manager) }) {
			continue
		}
		for _, p := range located(owned.Path, object) {
			if value, _ := p.get(object); !isMap(value) {
				found = append(found, p)
			}
		}
	}
	// Items of a list keep their places until the last ones are gone.
	for _, p := range slices.Backward(found) {
		p.remove(object)
	}
}

func isMap(value any) bool {
	_, is := value.(map[string]any)
	return is
}

// withLost is a manifest with what a live object lost: by a strategic merge patch for
// kinds with Go types, else by a JSON merge patch.
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
	typed, err := scheme.Scheme.New(kind)
	var patch []byte
	if err != nil {
		if patch, err = jsonpatch.CreateMergePatch(strip(rest), strip(live)); err == nil {
			manifest, err = jsonpatch.MergePatch(manifest, patch)
		}
		return decoded(manifest), err
	}
	meta, err := strategicpatch.NewPatchMetaFromStruct(typed)
	if err != nil {
		return nil, err
	}
	if patch, err = strategicpatch.CreateThreeWayMergePatch(strip(live), strip(live), strip(rest), meta, true); err == nil {
		manifest, err = strategicpatch.StrategicMergePatch(manifest, patch, typed)
	}
	return decoded(manifest), err
}
