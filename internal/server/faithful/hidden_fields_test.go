package faithful

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
)

// TestHiddenOrder: an autoscaler at v1 does not say in which order its metrics are stored.
func TestHiddenOrder(t *testing.T) {
	const metrics = `"annotations":{"autoscaling.alpha.kubernetes.io/metrics":"[]"}`
	scaler := func(version, metadata, spec string) []byte {
		return []byte(
			`{"apiVersion":"autoscaling/` + version + `","kind":"HorizontalPodAutoscaler","metadata":{"name":"a",` + metadata + `},"spec":{"maxReplicas":2` + spec + `}}`,
		)
	}
	const processor = `,"targetCPUUtilizationPercentage":60`
	for _, test := range []struct {
		name string
		live []byte
		told bool
	}{
		{"with others", scaler("v1", metrics, processor), true},
		{"alone", scaler("v1", `"labels":{}`, processor), false},
		{"without", scaler("v1", metrics, ""), false},
		{"at v2", scaler("v2", metrics, processor), false},
		{"new", nil, false},
	} {
		kind := schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "HorizontalPodAutoscaler"}
		if caveats := HiddenFields(api.Request{Kind: kind, Live: test.live}); len(caveats) > 0 != test.told {
			t.Errorf("%s: %v", test.name, caveats)
		}
	}
}
