package conflict

import (
	"cmp"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

// TestAsk has the fields of a live object: where each is from, its value when an
// owner drops it, and how it is removed.
func TestAsk(t *testing.T) {
	live := server.Object(
		t,
		merging.Writing{
			Verb:     api.Apply,
			Manager:  "flux",
			Manifest: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, labels: {a: b}}, spec: {replicas: 2, selector: {matchLabels: {a: b}}, template: {spec: {containers: [{name: main, image: x}]}}}}`,
		},
		merging.Writing{
			Verb:     api.Apply,
			Manager:  "web-team",
			Manifest: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, labels: {a: b}}}`,
		},
		merging.Writing{
			Verb:     api.MergePatch,
			Manager:  "kubectl-edit",
			Manifest: `{apiVersion: apps/v1, kind: Deployment, spec: {paused: true}}`,
		},
	)
	var object map[string]any
	if err := json.Unmarshal(live, &object); err != nil {
		t.Fatal(err)
	}
	// Nobody owns what a server has defaulted.
	object["spec"].(map[string]any)["revisionHistoryLimit"] = int64(10)
	w := written(t, "{}")
	w.Live, w.LiveObject = nil, object
	names := NewNames(server.Types(w.Kind).ParseableType, object)
	got := map[string]string{}
	for _, field := range []string{"spec.replicas", "metadata.labels.a", "spec.paused", "spec.revisionHistoryLimit", "spec.selector.matchLabels.a", "main.image"} {
		found, err := names.Find(field)
		if err != nil {
			t.Fatal(err)
		}
		got[field] = told(Ask(t.Context(), server, Question{Object: w, Path: found.Path, Typed: field}))
	}
	want := map[string]string{
		"main.image":                  "Owned; flux drops it: Removed; to be removed: Removed by flux",
		"metadata.labels.a":           "Owned; flux drops it: Kept, web-team drops it: Kept; to be removed: Removed by flux, web-team",
		"spec.paused":                 "Owned; kubectl-edit drops it: Removed; to be removed: Removed by a patch",
		"spec.replicas":               "Owned; flux drops it: Removed; to be removed: Removed by flux",
		"spec.revisionHistoryLimit":   "Unowned; ; to be removed: Removed by a patch",
		"spec.selector.matchLabels.a": "Owned; flux drops it: Removed; to be removed: Removed by flux",
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func told(a Why) string {
	var drops []string
	for _, d := range a.Drops {
		drops = append(drops, d.Manager+" drops it: "+string(d.Effect))
	}
	var steps []string
	for _, s := range a.Removal.Steps {
		steps = append(steps, cmp.Or(s.Manager, "a patch"))
	}
	return string(
		a.Origin,
	) + "; " + strings.Join(
		drops,
		", ",
	) + "; to be removed: " + string(
		a.Removal.Effect,
	) + " by " + strings.Join(
		steps,
		", ",
	)
}
