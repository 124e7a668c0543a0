package plans

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
)

func TestVerdict(t *testing.T) {
	unread := report.Ending{Problems: []report.Problem{{Message: "no object"}}}
	for _, tt := range []struct {
		failed, no int
		ending     report.Ending
		want       error
	}{
		{0, 0, report.Ending{}, nil},
		{0, 1, report.Ending{}, app.ErrNo},
		{1, 1, report.Ending{}, app.ErrTrouble},
		{0, 1, unread, app.ErrTrouble},
	} {
		if got := Verdict(tt.failed, tt.no, tt.ending); !errors.Is(got, tt.want) {
			t.Errorf("%d failed, %d no, %v: %v, want %v", tt.failed, tt.no, tt.ending.Problems, got, tt.want)
		}
	}
}

// TestPatches: a single object's patch can be sent as it is, several say whose they are.
func TestPatches(t *testing.T) {
	a := Patch{
		Target: report.Target{APIVersion: "v1", Kind: "ConfigMap", Name: "a"},
		Patch:  []report.PatchOperation{{Op: "remove", Path: "/x"}},
	}
	masked := Patch{Target: a.Target, NoPatch: "masked"}
	for _, tt := range []struct {
		name    string
		patches []Patch
		single  bool
		want    string
		err     string
	}{
		{"one of one", []Patch{a}, true, `[{"op":"remove","path":"/x"}]`, ""},
		{"none of one", nil, true, `[]`, ""},
		{"one of several", []Patch{a}, false, `[{"target":{"apiVersion":"v1","kind":"ConfigMap","name":"a"},"patch":[{"op":"remove","path":"/x"}]}]`, ""},
		{"none of several", nil, false, `[]`, ""},
		{"a withheld one", []Patch{masked}, true, "", "configmap/a: masked"},
		{"a withheld one of several", []Patch{masked}, false, `[{"target":{"apiVersion":"v1","kind":"ConfigMap","name":"a"},"noPatch":"masked"}]`, ""},
	} {
		var b strings.Builder
		err := Patches(&b, tt.patches, tt.single)
		got := strings.NewReplacer("\n", "", " ", "").Replace(b.String())
		if message := ""; err != nil {
			if message = err.Error(); message != tt.err {
				t.Errorf("%s: error %q, want %q", tt.name, message, tt.err)
			}
			continue
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || tt.err != "" {
			t.Errorf("%s, want error %q (-want +got):\n%s", tt.name, tt.err, diff)
		}
	}
}

// TestCommand: a patch that no argument can hold goes in by standard input.
func TestCommand(t *testing.T) {
	o := kubectl.Object{
		Resource:  schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"},
		Namespace: "shop",
		Name:      "web",
	}
	short := []report.PatchOperation{{Op: "remove", Path: "/metadata/managedFields/1"}}
	got, err := Command(o, short, "helm")
	want := `kubectl patch --namespace=shop --field-manager=helm --type=json --patch='[{"op":"remove","path":"/metadata/managedFields/1"}]' -- deployments.v1.apps/web`
	if err != nil || got != want {
		t.Errorf("%v\n%s, want\n%s", err, got, want)
	}
	long := []report.PatchOperation{
		{Op: "replace", Path: "/metadata/managedFields", Value: strings.Repeat("'", maxArgument)},
	}
	got, err = Command(o, long, "")
	line, rest, _ := strings.Cut(got, "\n")
	if err != nil || !strings.HasSuffix(line, " <<'END'") || !strings.Contains(line, "/dev/stdin") ||
		!strings.HasSuffix(rest, "\nEND") ||
		len(line) > 200 {
		t.Errorf("%v\n%s", err, line)
	}
	o.Name = ".."
	if got, err = Command(o, short, ""); err == nil {
		t.Errorf("no error for an object that cannot be named: %s", got)
	}
}
