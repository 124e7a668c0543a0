package fields_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/ownership/fields"
	"github.com/ssactl/ssactl/internal/server"
)

// short is what is said of a field, in a line.
func short(d fields.Document) string {
	f := d.Field
	out := fmt.Sprintf("%s%s %s %s", d.Of.Kind, f.Field, f.Type, f.Merge)
	for _, k := range f.Keys {
		out += fmt.Sprintf(", key %s %v", k.Name, k.Required)
	}
	for _, part := range []struct{ label, text string }{{"marker", f.Marker}, {"inside", f.Inside}, {"zero", f.Zero}} {
		if part.text != "" {
			out += ", " + part.label + " " + part.text
		}
	}
	if f.Default != nil {
		out += fmt.Sprint(", default ", *f.Default)
	}
	if f.Reset {
		out += ", reset"
	}
	for _, w := range f.Writers {
		out += ", by " + w.Who
	}
	return out
}

// TestAnswers: a field by what people type, and what is said of it; or why there is none.
func TestAnswers(t *testing.T) {
	s, err := server.New(server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const containers = "Deployment.spec.template.spec.containers list Keyed, key name true, marker x-kubernetes-list-type: map, zero Dropped"
	for _, test := range []struct{ typed, version, want string }{
		{"deployment.spec.template.spec.containers", "", containers},
		{"deploy.containers", "", containers},
		{"deployments.apps.spec.template.spec.containers[*]", "", containers},
		{"deploy.spec.replicas", "", "Deployment.spec.replicas integer Scalar, zero Kept, default 1, by the horizontal pod autoscaler"},
		{"pod.spec.hostNetwork", "", "Pod.spec.hostNetwork boolean Scalar, zero Dropped"},
		{"svc.status.conditions", "", "Service.status.conditions list Keyed, key type true, marker x-kubernetes-list-type: map, zero Dropped, reset, by the service controller of the cloud"},
		{"ingress.spec.rules.host", "", "Ingress.spec.rules[*].host string Scalar, inside .spec.rules, zero Dropped"},
		{"hpa.spec.targetCPUUtilizationPercentage", "autoscaling/v1", "HorizontalPodAutoscaler.spec.targetCPUUtilizationPercentage integer Scalar, zero Kept, default 80"},
		{"hpa.spec.targetCPUUtilizationPercentage", "", `no field "spec.targetCPUUtilizationPercentage": .spec has no such field`},
		{"deploymant", "", `no kind "deploymant" is served; custom kinds need their definition (--crds); did you mean Deployment?`},
		{"deploy.spec.template.spec.containers.prots", "", `no field "spec.template.spec.containers.prots": .spec.template.spec.containers has no such field; did you mean .spec.template.spec.containers[*].ports?`},
		{"deploy.containers.prots", "", `no field "containers.prots": .spec.template.spec.containers has no such field; did you mean .spec.template.spec.containers[*].ports?`},
		{"deploy.livenessProbe", "", `3 fields end with "livenessProbe": write more of the path, such as .spec.template.spec.containers[*].livenessProbe or .spec.template.spec.ephemeralContainers[*].livenessProbe`},
		{"deploy.spec.replicas.deeper", "", `no field "spec.replicas.deeper": .spec.replicas has no such field`},
		{"..", "", `no kind "" is served; custom kinds need their definition (--crds)`},
	} {
		kind, field, _, err := fields.Resolve(s, test.typed, test.version)
		var d fields.Document
		if err == nil {
			d, err = fields.Ask(s, fields.Question{Kind: kind, Field: field})
		}
		got := short(d)
		if err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.typed, diff)
		}
	}
}

// TestDepth: levels are as many as are asked for, and a type that is in itself ends.
func TestDepth(t *testing.T) {
	s, err := server.New(server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string][3]bool{"svc.spec": {false, true, true}, "crd.spec.versions.schema": {false, true, true}} {
		kind, field, _, err := fields.Resolve(s, typed, "")
		if err != nil {
			t.Fatal(err)
		}
		for i, depth := range []int{0, 2, fields.Unlimited} {
			d, err := fields.Ask(s, fields.Question{Kind: kind, Field: field, Depth: depth})
			if err != nil || strings.Contains(names(d.Field), ".") != want[i] {
				t.Errorf("%s, depth %d: %v, %s", typed, depth, err, names(d.Field))
			}
		}
	}
}

// names are the fields below one, and those below these behind dots.
func names(f fields.Field) string {
	out := ""
	for _, below := range f.Fields {
		out += " " + below.Name()
		for _, deeper := range below.Fields {
			out += "." + deeper.Name()
		}
	}
	return out
}
