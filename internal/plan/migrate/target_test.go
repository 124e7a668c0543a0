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
		want    Fact
	}{
		{"nobody", nil, nil, Fact{Kind: NobodyApplies}},
		{"one beside", []string{"hpa-helper" + part}, nil, Fact{Kind: OtherAppliesPart, Others: []string{"hpa-helper"}}},
		{"several beside", []string{"b" + part, "a" + part}, nil, Fact{Kind: OthersApplyParts, Others: []string{"a", "b"}}},
		{"itself", []string{"kubectl" + part}, nil, Fact{Kind: AppliesPart}},
		{"one that is left", []string{"a" + part}, []string{"a"}, Fact{Kind: NobodyElse}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := plan(live(t, manifestText, append(c.entries, clientSide)...), Options{From: c.from, Auto: ByEvidence}).To
			if diff := cmp.Diff(Choice{Manager: ServerSideKubectl, Because: c.want}, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
