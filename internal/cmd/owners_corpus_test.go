package cmd

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/test/parity"
	"github.com/ssactl/ssactl/test/sampled"
)

// TestOwnersCorpus: with the server's own merge types, those of custom
// resources included, each recorded live object's fields have exactly the
// owners that structured-merge-diff reads from its entries.
func TestOwnersCorpus(t *testing.T) {
	packs, err := filepath.Glob(filepath.Join("..", "..", "testdata", "corpus", "*.jsonl.gz"))
	if err != nil || len(packs) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	typed, deduced := 0, 0
	for _, pack := range packs {
		scenarios, err := parity.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		for _, scenario := range sampled.Of(t, 16, scenarios) {
			var crds [][]byte
			for _, crd := range scenario.CRDs {
				crds = append(crds, crd)
			}
			server, err := sharedServer(server.Options{CRDs: crds})
			if err != nil {
				t.Fatal(err)
			}
			c := &cluster.Cluster{World: cluster.World{Served: cluster.Served{Server: server}}}
			for _, step := range scenario.Steps {
				if len(step.LiveAfter) == 0 || string(step.LiveAfter) == "null" {
					continue
				}
				if o := checkOwners(c, t, step.LiveAfter); o.Deduced {
					deduced++
				} else {
					typed++
				}
			}
		}
	}
	if !testing.Short() && typed < 1000 {
		t.Errorf("%d objects with a merge type, and %d without: the recordings have more", typed, deduced)
	}
}

// checkOwners attributes the fields of an object as the command does, and
// compares claims and sets.
func checkOwners(c *cluster.Cluster, t *testing.T, raw json.RawMessage) *owners.Object {
	t.Helper()
	u := &unstructured.Unstructured{}
	if err := kjson.Unmarshal(raw, &u.Object); err != nil {
		t.Fatal(err)
	}
	id := manifest.Identity{
		APIVersion: u.GetAPIVersion(),
		Kind:       u.GetKind(),
		Namespace:  u.GetNamespace(),
		Name:       u.GetName(),
	}
	shape := c.Shape(&live.Object{Document: manifest.Document{Identity: id}})
	o := owners.New(report.Target{}, report.Source{}, u.Object, shape)
	for i, e := range u.GetManagedFields() {
		set, told := fieldpath.NewSet(), fieldpath.NewSet()
		if err := set.FromJSON(e.FieldsV1.GetRawReader()); err != nil {
			t.Fatal(err)
		}
		visit := func(f *owners.Field) {
			if claimed := slices.Contains(f.Claims, owners.Claim{Entry: i}); claimed != set.Has(f.Path) {
				t.Errorf(
					"%s %s, %s: claimed by %s: %v, structured-merge-diff says %v", id.Kind, id.Name, f.Name,
					e.Manager, claimed,
					!claimed,
				)
			}
			told.Insert(f.Path)
			if f.Whole && slices.Contains(f.Claims, owners.Claim{Entry: i, Inside: true}) || f.Whole && set.Has(f.Path) {
				set.Iterate(func(p fieldpath.Path) {
					if len(p) > len(f.Path) && p[:len(f.Path)].Equals(f.Path) {
						told.Insert(p.Copy())
					}
				})
			}
		}
		o.Root.Each(visit)
		for _, f := range o.Stale {
			visit(f)
		}
		if missing := set.Difference(told); !missing.Empty() {
			t.Errorf("%s %s: %s owns what is not told: %v", id.Kind, id.Name, e.Manager, missing)
		}
	}
	return o
}
