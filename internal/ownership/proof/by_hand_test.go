package proof

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

// TestByHand: an edit of a manifest that is in no file, or that its text does not allow, is a sentence.
func TestByHand(t *testing.T) {
	const stop = "stop managing the field (remove it from the manifest)"
	for _, test := range []struct {
		name, spec, file, kustomization, want string
	}{
		{"in a file", "minReadySeconds: 1", "web.yaml", "", stop},
		{"standard input", "minReadySeconds: 1", "-", "", stop + ". Edit what makes the manifest, which comes from standard input."},
		{"a kustomization", "minReadySeconds: 1", "over", "over", stop + ". Edit what the kustomization builds the manifest of."},
		{"an anchor", "minReadySeconds: &n 1, progressDeadlineSeconds: *n", "web.yaml", "",
			stop + ". Edit the file by hand: an alias elsewhere refers to it."},
	} {
		w := engine.Write{
			Verb: api.Apply, Kind: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"},
			Namespace: "shop", Name: "web", Manager: "ci", Body: []byte(deployment(test.spec)),
			JSON: merging.JSON(t, deployment(test.spec)), Kustomization: test.kustomization,
			Live:   server.Object(t, applied("ci", "minReadySeconds: 1"), updated("some-controller", "minReadySeconds: 5")),
			Source: report.Source{File: test.file}, Now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),
		}
		r := answer(w, false)
		p := Prover{
			Write: w, Shape: managedfields.ShapeOf(server.Types(w.Kind).ParseableType),
			Ask: func(w engine.Write) report.Result { return answer(w, false) },
		}
		list := p.Prove(r, r.Findings)
		if len(list) == 0 || len(list[0].Fixes) == 0 {
			t.Errorf("%s: %v", test.name, list)
			continue
		}
		fix := list[0].Fixes[0]
		if diff := cmp.Diff(test.want, fix.Does.String()); diff != "" || fix.ByHand.IsZero() != (test.want == stop) {
			t.Errorf("%s: by hand %q (-want +got):\n%s", test.name, fix.ByHand, diff)
		}
	}
}
