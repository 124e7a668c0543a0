package page

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
)

var update = flag.Bool("update", false, "write the golden files")

// TestInClient: each setting of each client, of fields in maps, keyed lists and sets,
// is as the golden file has it; those in YAML are YAML.
func TestInClient(t *testing.T) {
	places := []report.Place{
		{{Name: "metadata"}, {Name: "annotations"}, {Name: "example.com/a~b"}},
		{{Name: "metadata"}, {Name: "finalizers"}, {Item: true, Index: 10, Value: "a/b"}},
		{{Name: "metadata"}, {Name: "finalizers"}, {Item: true, Index: 2, Value: "x/y"}},
		{{Name: "spec"}, {Name: "replicas"}},
		{
			{Name: "spec"},
			{Name: "containers"},
			{Item: true, Index: 2, Keys: []report.Key{{Name: "name", Value: `a"b`}, {Name: "port", Value: int64(80)}}},
			{Name: "image"},
		},
	}
	e := conflict.Explanation{
		Target: report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web.v2"},
		Source: report.Source{File: "it's web.yaml"},
	}
	core, custom := e, e
	custom.Target = report.Target{APIVersion: "example.com/v1", Kind: "Widget", Namespace: "shop", Name: "w"}
	core.Target = report.Target{APIVersion: "v1", Kind: "Namespace", Name: "shop"}
	for _, client := range []report.Client{report.ArgoCD, report.Flux, report.Helm, report.Terraform, report.Pulumi, report.Kubectl} {
		t.Run(string(client), func(t *testing.T) {
			var got string
			for _, kind := range []conflict.ResolutionKind{conflict.StopManaging, conflict.UseLiveValue, conflict.Force} {
				if _, known := settings[client][kind]; !known {
					continue
				}
				fix := report.ClientFix{
					Client:   client,
					Kind:     string(kind),
					Applier:  "${me}",
					Places:   places,
					Managers: []string{"controller", "kubectl-edit"},
				}
				known := fix
				known.Unit, known.Namespace = report.Unit{Name: "release", Namespace: "team"}, "shop"
				e.InClient, core.InClient = []report.ClientFix{known}, []report.ClientFix{fix}
				custom.InClient = []report.ClientFix{fix}
				custom.InClient[0].Custom = true
				for _, f := range slices.Concat(settingsOf(e), settingsOf(core), settingsOf(custom)) {
					got += "# " + string(kind) + ": " + f.Does + "\n" + f.Text + "\n"
					checkYAML(t, f)
				}
			}
			checkGolden(t, filepath.Join("testdata", "client_"+string(client)+".txt"), got)
		})
	}
}

func settingsOf(e conflict.Explanation) []report.ClientFix {
	return Written(e.InClient, e.Target, e.Source.File)
}

func checkYAML(t *testing.T, f report.ClientFix) {
	t.Helper()
	var tree map[string]any
	if f.Language == "yaml" && (yaml.UnmarshalStrict([]byte(f.Text), &tree) != nil || len(tree) == 0) {
		t.Errorf("this is no YAML of a map:\n%s", f.Text)
	}
}

func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got)\n%s", name, diff)
	}
}
