package writers

import (
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// TestJudge: what an object says of an entry outweighs the name of its manager, and a name
// that is known for certain outweighs that.
func TestJudge(t *testing.T) {
	const (
		created = "metadata: {creationTimestamp: '2024-01-01T00:00:00Z', managedFields: ["
		atOnce  = "{manager: m, operation: Update, time: '2024-01-01T00:00:01Z'}"
		later   = "{manager: m, operation: Update, time: '2024-01-01T00:05:00Z'}"
		status  = "{manager: m, operation: Update, subresource: status, time: '2024-02-01T00:00:00Z'}"
		owned   = "], ownerReferences: [{kind: Database, name: d, controller: true}]}"
	)
	for _, tt := range []struct {
		name, live, manager, operation, field string
		kind                                  WriterKind
		returns                               Persistence
	}{
		{"created it, and is silent since", created + atOnce + "]}", "m", managedfields.Update, "", Creator, Never},
		{"wrote later", created + later + "]}", "m", managedfields.Update, "", OtherWriter, Always},
		{"created it, and writes its status", created + atOnce + "," + status + "]}", "m", managedfields.Update, "", OtherWriter, Always},
		{"created what it controls", created + atOnce + owned, "m", managedfields.Update, "", OtherWriter, Always},
		{"no times", "metadata: {managedFields: [{manager: m, operation: Update}]}", "m", managedfields.Update, "", OtherWriter, Always},
		{"no live object", "", "m", managedfields.Update, "", OtherWriter, Always},
		{"a known name", created + "{manager: helm, operation: Update, time: '2024-01-01T00:00:00Z'}]}", "helm", managedfields.Update, "", Deployer, OnRun},
		{"an applier with the name of an operator", created + "]}", "mesh-operator", managedfields.Apply, "", OtherApplier, OnRun},
		{"an operator that applies what it controls", created + owned, "mesh-operator", managedfields.Apply, "", Controller, Always},
		{"an operator that updates", created + "]}", "mesh-operator", managedfields.Update, "", Controller, Always},
		{"a controller that is known to apply", created + "]}", "clusterrole-aggregation-controller", managedfields.Apply, "", Controller, Always},
		{"an operator that injects into its webhook", created + atOnce + "]}", "m", managedfields.Update,
			`.webhooks[name="w"].clientConfig.caBundle`, Controller, Always},
	} {
		var live map[string]any
		if err := yaml.Unmarshal([]byte(tt.live), &live); err != nil {
			t.Fatal(err)
		}
		got := Judge(report.Writer{Manager: tt.manager, Operation: tt.operation}, "helm-4", tt.field, live)
		if got.Kind != tt.kind || got.Returns != tt.returns || got.Name == "" {
			t.Errorf("%s: %+v, want %s that returns %s", tt.name, got, tt.kind, tt.returns)
		}
	}
}
