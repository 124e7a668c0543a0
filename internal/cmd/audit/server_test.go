package audit

import (
	"context"
	"net/http"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	gvk "k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/cmd/audit/rules"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

// converting is a server that drops entries at one version, and fails on those at another.
type converting struct {
	cluster.Simulated
	merging *merging.Server
}

const dropped, refused = "lab.example.com/dropped", "lab.example.com/refused"

func (c converting) Types(kind gvk.GroupVersionKind) api.Type        { return c.merging.Types(kind) }
func (c converting) Resource(kind gvk.GroupVersionKind) api.Resource { return c.merging.Resource(kind) }
func (c converting) Do(ctx context.Context, r api.Request) (api.Response, error) {
	var o unstructured.Unstructured
	if err := o.UnmarshalJSON(r.Live); err != nil {
		return api.Response{}, err
	}
	entries := o.GetManagedFields()
	for _, e := range entries {
		if e.APIVersion == refused {
			return api.Response{
				Code:   http.StatusInternalServerError,
				Body:   []byte(`{"kind":"Status","message":"cannot convert"}`),
				Stored: r.Live,
			}, nil
		}
	}
	o.SetManagedFields(nil)
	r.Live, _ = o.MarshalJSON()
	answer, err := c.merging.Do(ctx, r)
	if err != nil {
		return answer, err
	}
	var after unstructured.Unstructured
	if err := after.UnmarshalJSON(answer.Stored); err != nil {
		return answer, err
	}
	own := after.GetManagedFields()
	for _, e := range entries {
		if e.APIVersion != dropped {
			own = append(own, e)
		}
	}
	after.SetManagedFields(own)
	answer.Stored, err = after.MarshalJSON()
	answer.Body = answer.Stored
	return answer, err
}

// gadget is a live object with an entry at each version.
func gadget(versions ...string) map[string]any {
	var entries []any
	for _, v := range versions {
		if v != "" {
			entries = append(
				entries,
				map[string]any{
					"manager":    "old",
					"operation":  "Update",
					"apiVersion": v,
					"fieldsType": "FieldsV1",
					"fieldsV1":   map[string]any{"f:spec": map[string]any{"f:replicas": map[string]any{}}},
				},
			)
		}
	}
	return map[string]any{
		"apiVersion": "lab.example.com/v1", "kind": "Gadget", "spec": map[string]any{"replicas": int64(1)},
		"metadata": map[string]any{"name": "g", "namespace": "shop", "managedFields": entries},
	}
}

// TestEffect: what the next write does to one entry is found with the object that has that entry
// alone, and without.
func TestEffect(t *testing.T) {
	s := Server{
		Ctx:     t.Context(),
		Cluster: &cluster.Cluster{World: cluster.World{Served: cluster.Served{Server: converting{merging: gadgets()}}}},
		Live: &live.Object{
			Document: manifest.Document{
				Identity: manifest.Identity{APIVersion: "lab.example.com/v1", Kind: "Gadget", Name: "g", Namespace: "shop"},
			}},
	}
	for _, test := range []struct {
		versions []string
		entry    int
		want     rules.Effect
	}{
		{[]string{"lab.example.com/v1"}, 0, rules.Kept}, {[]string{dropped}, 0, rules.Dropped}, {[]string{refused}, 0, rules.Refuses},
		{[]string{"lab.example.com/v1", dropped, refused}, 1, rules.Dropped}, {[]string{dropped}, 1, rules.Unknown}, {[]string{dropped}, -1, rules.Unknown},
	} {
		live := gadget(test.versions...)
		o := rules.Object{
			Live:   live,
			Target: report.Target{APIVersion: "lab.example.com/v1", Kind: "Gadget", Namespace: "shop", Name: "g"},
		}
		if got := s.Effect(o, test.entry); got != test.want {
			t.Errorf("entry %d of %v: %s, want %s", test.entry, test.versions, got, test.want)
		}
		if n := len(managedfields.Of(live).Entries); n != len(test.versions) {
			t.Errorf("the live object has %d entries now", n)
		}
	}
	if !s.Serves(merging.GadgetKind) || s.Serves(gvk.GroupVersionKind{Group: "none", Version: "v1", Kind: "Gadget"}) {
		t.Error("what is served is not what the server says")
	}
}

func gadgets() *merging.Server {
	s := merging.New()
	s.Custom = map[gvk.GroupVersionKind]typed.ParseableType{merging.GadgetKind: merging.GadgetType()}
	return s
}
