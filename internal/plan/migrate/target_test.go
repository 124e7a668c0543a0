package migrate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The reason of a choice by default says who applies the object, and how much.
func TestTargetByDefault(t *testing.T) {
	const part = " Apply lab/v1 .: metadata/labels/a"
	cases := []struct {
		name    string
		entries []string
		from    []string
		want    string
	}{
		{"nobody", nil, nil, "nobody applies the object yet, and it is the default of kubectl apply --server-side"},
		{"one beside", []string{"hpa-helper" + part}, nil, "it is the default of kubectl apply --server-side, and hpa-helper applies a part of the object only"},
		{"several beside", []string{"b" + part, "a" + part}, nil, "it is the default of kubectl apply --server-side, and a, b apply a part of the object each"},
		{"itself", []string{"kubectl" + part}, nil, "it is the default of kubectl apply --server-side, and applies a part of the object already"},
		{"one that is left", []string{"a" + part}, []string{"a"}, "it is the default of kubectl apply --server-side, and nobody else applies the object"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := plan(live(t, manifestText, append(c.entries, clientSide)...), Options{From: c.from, Auto: ByEvidence}).To
			if diff := cmp.Diff(Choice{Manager: ServerSideKubectl, Reason: c.want}, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
