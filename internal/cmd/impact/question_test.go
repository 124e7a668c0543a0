package impact

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	gvk "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/ownership/impact"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/cluster"
)

var widget = gvk.GroupKind{Group: "example.com", Kind: "Widget"}

func widgetAt(version string) *live.Object {
	return &live.Object{
		Document: manifest.Document{
			Identity: manifest.Identity{APIVersion: "example.com/" + version, Kind: "Widget", Name: "w"},
		},
	}
}

// TestKindOf: an object is of one of the compared kinds, at any version.
func TestKindOf(t *testing.T) {
	o := &impactOptions{}
	for _, name := range []string{"Apple", "Other", "Widget"} {
		o.impacts = append(o.impacts, impact.Kind{GroupKind: gvk.GroupKind{Group: "example.com", Kind: name}})
	}
	if k := o.kindOf(widgetAt("v7")); k == nil || k.GroupKind != widget {
		t.Errorf("got %v", k)
	}
	another := widgetAt("v1")
	if another.Kind = "Widgets"; o.kindOf(another) != nil {
		t.Error("an object of another kind is of a compared one")
	}
}

// TestFlags: two sides are needed, of one sort.
func TestFlags(t *testing.T) {
	for _, test := range []struct {
		old, new []string
		version  string
		want     string
	}{
		{nil, []string{"a.yaml"}, "", "--old and --new are needed: files with CustomResourceDefinitions, or Kubernetes releases such as 1.36"},
		{[]string{"1.35"}, []string{"a.yaml"}, "", "--old 1.35 --new a.yaml: compare two files with definitions, or two releases of Kubernetes"},
		{[]string{"1.35"}, []string{"v1.36.1"}, "1.36", "--kubernetes-version: --new says which release is simulated"},
	} {
		o := &impactOptions{old: test.old, new: test.new}
		o.KubernetesVersion = test.version
		if err := o.check(); err == nil || err.Error() != test.want {
			t.Errorf("%v, %v: %v, want %s", test.old, test.new, err, test.want)
		}
	}
}

// TestUnsimulated: what was not simulated is a note for each reason, with the number of objects.
func TestUnsimulated(t *testing.T) {
	var c cluster.Cluster
	of := report.Target{Kind: "Widget"}
	_, err := (&impactOptions{}).document(t.Context(), &c, []affected{
		{target: of, conversion: impact.Conversion{Written: "v1", Stored: "v2"}},
		{target: of, unsimulated: errors.New("no webhook\nwith more")},
		{target: of, unsimulated: errors.New("no webhook")},
	}, report.Run{})
	want := []string{
		"2 live objects could not be simulated: Widget: no webhook",
		"1 live object of kind Widget: a webhook converts between v1 and v2, at which it is stored; that was not simulated",
	}
	if diff := cmp.Diff(want, c.Notices); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
