package migration

import "testing"

// The reason of a choice by default says who applies the object, and how much.
func TestTargetByDefault(t *testing.T) {
	const part = " Apply lab/v1 .: metadata/labels/a"
	cases := []struct {
		name    string
		entries []string
		from    []string
		want    string
	}{
		{"nobody", nil, nil, "no manager applies the object yet"},
		{"one beside", []string{"hpa-helper" + part}, nil, "hpa-helper applies a part of the object only"},
		{"several beside", []string{"b" + part, "a" + part}, nil, "a and b apply a part of the object each"},
		{"itself", []string{"kubectl" + part}, nil, "it applies a part of the object already"},
		{"one that is left", []string{"a" + part}, []string{"a"}, "no other manager applies the object"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := plan(live(t, manifestText, append(c.entries, clientSide)...), Options{From: c.from, Auto: ByEvidence}).To
			if want := "it is the default of kubectl apply --server-side, and " + c.want; got.Manager != ServerSideKubectl ||
				got.Reason.String() != want {
				t.Errorf("%s: %s, want %s", got.Manager, got.Reason, want)
			}
		})
	}
}
