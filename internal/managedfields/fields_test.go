package managedfields

import "testing"

func TestWithin(t *testing.T) {
	tests := []struct {
		field, parent string
		want          bool
	}{
		{".spec.replicas", ".spec.replicas", true},
		{".spec.template.spec", ".spec.template", true},
		{`.spec.ports[port=1].name`, ".spec.ports", true},
		{".spec.replicasets", ".spec.replicas", false},
		{".spec", ".spec.replicas", false},
		{"", "", true},
	}
	for _, tt := range tests {
		if got := Within(tt.field, tt.parent); got != tt.want {
			t.Errorf("Within(%q, %q) = %v, want %v", tt.field, tt.parent, got, tt.want)
		}
	}
}
