package show

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/golden"
)

// checkPatch applies a patch with the library that the API server uses.
func checkPatch(t *testing.T, live, object map[string]any) {
	t.Helper()
	var out bytes.Buffer
	r := report.Result{Outcome: report.Configured, Live: live, Object: object}
	if err := stream.Play(in("json-patch", &out, Options{}), report.New(golden.RunOf("v"), []report.Result{r})); err != nil {
		if strings.Contains(err.Error(), "masked values") {
			return
		}
		t.Fatal(err)
	}
	encoded := out.Bytes()
	patch, err := jsonpatch.DecodePatch(encoded)
	if err != nil {
		t.Fatalf("%s: %v", encoded, err)
	}
	before, err := json.Marshal(live)
	if err != nil {
		t.Fatal(err)
	}
	after, err := patch.Apply(before)
	if err != nil {
		t.Fatalf("apply %s: %v", encoded, err)
	}
	var got map[string]any
	if err := kjson.Unmarshal(after, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(asJSON(t, withoutKept(object)), asJSON(t, withoutKept(got))); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", encoded, diff)
	}
}

// withoutKept is an object without what the server keeps, whatever a patch says.
func withoutKept(object map[string]any) map[string]any {
	out := maps.Clone(object)
	if metadata, ok := out["metadata"].(map[string]any); ok {
		metadata = maps.Clone(metadata)
		for _, key := range []string{"managedFields", "resourceVersion", "uid", "generation", "creationTimestamp"} {
			delete(metadata, key)
		}
		out["metadata"] = metadata
	}
	return out
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestCorpusPatches makes the stored object of every recorded write that
// changed one.
func TestCorpusPatches(t *testing.T) {
	for _, r := range recorded(t) {
		if r.Live != nil && r.Object != nil {
			checkPatch(t, r.Live, r.Object)
		}
	}
}

func TestPatchTestsTheVersion(t *testing.T) {
	r := configured()
	r.Object = r.Live
	want := `[
  {
    "op": "test",
    "path": "/metadata/resourceVersion",
    "value": "812"
  }
]
`
	if diff := cmp.Diff(want, rendered(t, "json-patch", report.New(golden.RunOf("v"), []report.Result{r}), Options{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestNoPatch(t *testing.T) {
	deleted := configured()
	deleted.Object, deleted.Deleted, deleted.Operation = nil, true, report.Delete
	for want, r := range map[string]report.Result{
		"deployment.apps/web (namespace shop): a patch cannot create an object; -o yaml has it":     created(),
		"deployment.apps/web (namespace shop): a patch cannot delete an object":                     deleted,
		"secret/db (namespace shop): the patch would have masked values; --show-secrets keeps them": secret(),
	} {
		err := stream.Play(in("json-patch", nil, Options{}), report.New(golden.RunOf("v1.36.3"), []report.Result{r}))
		if err == nil {
			t.Errorf("a patch instead of: %s", want)
			continue
		}
		if diff := cmp.Diff(want, err.Error()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

func FuzzPatch(f *testing.F) {
	f.Add("a: [1, 2, 3]", "a: [2, 3, 4]\n~/b: {}")
	f.Add("a: {b: null}", "a: null")
	f.Add("a: [{b: 1}, x]", "a: [x, {b: 1}, []]")
	f.Fuzz(func(t *testing.T, before, after string) {
		var live, object map[string]any
		if yaml.Unmarshal([]byte(before), &live) != nil || yaml.Unmarshal([]byte(after), &object) != nil || live == nil ||
			object == nil {
			return
		}
		checkPatch(t, live, object)
	})
}
