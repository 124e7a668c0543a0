package writers

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/server"
)

// TestRowsNameFields: each row is of kinds that are served, and of fields that one of
// their versions has.
func TestRowsNameFields(t *testing.T) {
	s, err := server.New(server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string][]schema.GroupVersionKind{}
	for _, kind := range s.Kinds() {
		versions[kind.GroupKind().String()] = append(versions[kind.GroupKind().String()], kind)
	}
	for _, r := range cluster {
		for _, kind := range r.kinds {
			for _, field := range r.fields {
				if !slices.ContainsFunc(versions[kind], func(v schema.GroupVersionKind) bool {
					return has(managedfields.ShapeOf(s.Types(v).ParseableType), field)
				}) {
					t.Errorf("no version of %s has %s", kind, field)
				}
			}
		}
	}
}

// has reports whether a type has a field; a key of a map counts as one.
func has(shape managedfields.Shape, field string) bool {
	field, _, _ = strings.Cut(field, `["`)
	for _, name := range strings.Split(strings.TrimPrefix(field, "."), ".") {
		name, item := strings.CutSuffix(name, "[*]")
		if !slices.Contains(shape.Names(), name) {
			return false
		}
		if shape = shape.Field(name); item {
			shape = shape.Item()
		}
	}
	return true
}

func TestOf(t *testing.T) {
	deployment := Kind{GroupKind: schema.GroupKind{Group: "apps", Kind: "Deployment"}, Scale: true}
	service := Kind{GroupKind: schema.GroupKind{Kind: "Service"}}
	custom := Kind{GroupKind: schema.GroupKind{Group: "example.org", Kind: "Service"}, Custom: true}
	for _, c := range []struct {
		kind  Kind
		field string
		want  []string
	}{
		{deployment, ".spec.replicas", []string{"the horizontal pod autoscaler"}},
		{deployment, ".spec.replicasX", nil},
		{deployment, ".status.conditions[*].type", []string{"the deployment controller"}},
		{deployment, ".metadata.annotations", []string{"the deployment controller"}},
		{deployment, ".metadata.uid", []string{"the API server"}},
		{service, ".spec.ports[*].nodePort", []string{"the API server"}},
		{service, ".spec.ports", nil},
		{custom, ".spec.clusterIP", nil},
		{custom, ".status.phase", []string{"the controller of the kind"}},
	} {
		var got []string
		for _, w := range Of(c.kind, c.field) {
			got = append(got, w.Who)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %s: %q, want %q", c.kind, c.field, got, c.want)
		}
	}
}
