package api

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestServedAs(t *testing.T) {
	served := map[string]bool{
		"batch/v1 CronJob":             true,
		"networking.k8s.io/v1 Ingress": true,
		"autoscaling/v2 HPA":           true,
		"autoscaling/v1 HPA":           true,
		"lab/v7 Gadget":                true,
	}
	serves := func(kind schema.GroupVersionKind) bool { return served[kind.GroupVersion().String()+" "+kind.Kind] }
	for _, c := range []struct{ apiVersion, kind, want string }{
		{"batch/v1beta1", "CronJob", "batch/v1"},
		{"extensions/v1beta1", "Ingress", "networking.k8s.io/v1"},
		{"autoscaling/v2beta2", "HPA", "autoscaling/v2"},
		{"batch/v1", "Job", ""},
		{"lab/v1", "Gadget", ""},
	} {
		if got := ServedAs(schema.FromAPIVersionAndKind(c.apiVersion, c.kind), serves); got != c.want {
			t.Errorf("%s %s is served as %q, want %q", c.apiVersion, c.kind, got, c.want)
		}
	}
}
