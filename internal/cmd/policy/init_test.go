package policy

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/test/lab"
)

// TestDerived: the rules are those of what was seen, problems are kept, and that nobody
// owns anything is said.
func TestDerived(t *testing.T) {
	for _, test := range []struct {
		name           string
		objects        []map[string]any
		problems       []*report.Problem
		owners, notice []string
		verdict        error
	}{
		{"nothing", nil, nil, nil, []string{"no object has managed fields: no field has an owner"}, nil},
		{"no entries", []map[string]any{lab.Gadget()}, nil, nil, []string{"no object has managed fields: no field has an owner"}, nil},
		{"one owner, and an object that cannot be read", []map[string]any{lab.Gadget("helm Apply lab/v1 .: spec.replicas")}, []*report.Problem{nil, {Message: "broken"}}, []string{"helm"}, nil, app.ErrTrouble},
		{"an exception", []map[string]any{lab.Gadget("helm Apply lab/v1 .: spec.mode spec.size", "hpa Update lab/v1 scale: spec.replicas")}, nil, []string{"helm", "hpa (scale)"}, nil, nil},
	} {
		o, c := &policyInitOptions{}, &cluster.Cluster{}
		for _, object := range test.objects {
			o.seen.Add(
				policy.Object{Kind: schema.GroupKind{Group: "lab", Kind: "Gadget"}, Shape: managedfields.ShapeOf(lab.Type)},
				managedfields.Of(object),
			)
		}
		d, err := o.document(t.Context(), c, test.problems, report.Run{})
		if err != nil {
			t.Fatal(err)
		}
		var owners []string
		for _, s := range d.Sections {
			for _, r := range s.Rules {
				owners = append(owners, policy.Names(r.Owners)...)
			}
		}
		if diff := cmp.Diff(test.owners, owners); diff != "" {
			t.Errorf("%s: owners (-want +got):\n%s", test.name, diff)
		}
		if diff := cmp.Diff(test.notice, c.Notices); diff != "" {
			t.Errorf("%s: notices (-want +got):\n%s", test.name, diff)
		}
		if err := o.inquiry().Verdict(c, d); !errors.Is(err, test.verdict) {
			t.Errorf("%s: the verdict is %v, want %v", test.name, err, test.verdict)
		}
	}
}
