package compare

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/lab"
)

// TestNext: the next apply is simulated on both sides, and conflicts of one alone are new
// or solved.
func TestNext(t *testing.T) {
	const mine, theirs = "kubectl Apply lab/v1 .: spec/mode spec/size", "editor Update lab/v1 .: spec/mode"
	tests := []struct {
		name              string
		before, after     map[string]any
		was, is           report.Outcome
		conflicts, solved []string
	}{
		{"nothing changed", lab.Gadget(mine), lab.Gadget(mine), report.Configured, report.Configured, nil, nil},
		{
			"an owner came", lab.Gadget(mine), lab.Gadget(mine, theirs), report.Configured,
			report.Conflicted,
			[]string{"editor .spec.mode"},
			nil,
		},
		{
			"an owner went", lab.Gadget(mine, theirs), lab.Gadget(mine), report.Conflicted,
			report.Configured, nil,
			[]string{"editor .spec.mode"},
		},
		{"it stayed", lab.Gadget(mine, theirs), lab.Gadget(mine, theirs), report.Conflicted, report.Conflicted, nil, nil},
		{
			"another one",
			lab.Gadget(mine, theirs),
			lab.Gadget(mine, "other Apply lab/v1 .: spec/mode"),
			report.Conflicted,
			report.Conflicted,
			[]string{"other .spec.mode"},
			[]string{"editor .spec.mode"},
		},
		{"the object is new", nil, lab.Gadget(mine, theirs), "", report.Conflicted, []string{"editor .spec.mode"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			apply := engine.Write{
				Kind: schema.GroupVersionKind{Group: "lab", Version: "v1", Kind: "Gadget"}, Name: "g", Manager: "kubectl",
				Body: []byte(`{"apiVersion":"lab/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"mode":"slow","size":5}}`),
			}
			n := next(
				context.Background(),
				Request{Server: lab.Server{}, Apply: &apply, Before: Side{Object: tt.before}, After: Side{Object: tt.after}},
			)
			if n.After.Outcome != tt.is || n.Before != nil && n.Before.Outcome != tt.was || (n.Before == nil) != (tt.was == "") {
				t.Errorf("before %v, after %v", n.Before, n.After)
			}
			if diff := cmp.Diff(tt.conflicts, conflicts(n.Conflicts)); diff != "" {
				t.Errorf("conflicts (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.solved, conflicts(n.Solved)); diff != "" {
				t.Errorf("solved (-want +got):\n%s", diff)
			}
		})
	}
}

func conflicts(list []report.Conflict) []string {
	var out []string
	for _, c := range list {
		out = append(out, c.Manager+" "+c.Field)
	}
	return out
}
