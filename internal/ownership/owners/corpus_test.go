package owners

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/merging"
	"github.com/ssactl/ssactl/test/parity"
	"github.com/ssactl/ssactl/test/sampled"
)

var types = merging.New()

// shapeFor is that of a built-in kind; of other kinds nothing is known.
func shapeFor(object map[string]any) managedfields.Shape {
	version, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	t := types.Types(schema.FromAPIVersionAndKind(version, kind))
	if t.Deduced {
		return managedfields.Shape{}
	}
	return managedfields.ShapeOf(t.ParseableType)
}

// TestCorpus checks on every recorded object, with its type and without, that
// fields have exactly the owners that structured-merge-diff reads from the
// managed fields entries.
func TestCorpus(t *testing.T) {
	objects, ends := 0, 0
	eachObject(t, func(t *testing.T, object map[string]any) {
		sets := upstreamSets(t, object)
		for _, shape := range slices.Compact([]managedfields.Shape{shapeFor(object), {}}) {
			o := New(report.Target{}, report.Source{}, object, shape)
			checkClaims(t, o, sets)
			ends += o.Counts.Owned
		}
		objects++
	})
	if !testing.Short() && (objects < 1000 || ends < 10000) {
		t.Errorf("checked %d objects with %d owned fields: the recordings have more", objects, ends)
	}
}

// upstreamSets reads the entries as the server does.
func upstreamSets(t *testing.T, object map[string]any) []*fieldpath.Set {
	t.Helper()
	var sets []*fieldpath.Set
	for _, e := range (&unstructured.Unstructured{Object: object}).GetManagedFields() {
		set := fieldpath.NewSet()
		if err := set.FromJSON(e.FieldsV1.GetRawReader()); err != nil {
			t.Fatal(err)
		}
		sets = append(sets, set)
	}
	return sets
}

func checkClaims(t *testing.T, o *Object, sets []*fieldpath.Set) {
	t.Helper()
	told := make([]*fieldpath.Set, len(sets))
	for i := range told {
		told[i] = fieldpath.NewSet()
	}
	tell := func(f *Field) {
		for i, set := range sets {
			exact := slices.Contains(f.Claims, Claim{Entry: i})
			if exact != set.Has(f.Path) {
				t.Errorf("%s: claimed by entry %d: %v, structured-merge-diff says %v", f.Name, i, exact, !exact)
			}
			if exact {
				told[i].Insert(f.Path)
			}
			if f.End && f.Whole {
				set.Iterate(func(p fieldpath.Path) {
					if len(p) > len(f.Path) && p[:len(f.Path)].Equals(f.Path) {
						told[i].Insert(p.Copy())
						if !exact && !slices.Contains(f.Claims, Claim{Entry: i, Inside: true}) {
							t.Errorf("%s: entry %d claims %s inside it, which is not told", f.Name, i, p)
						}
					}
				})
			}
		}
	}
	o.Root.Each(func(f *Field) {
		if len(f.Path) > 0 {
			tell(f)
		}
	})
	for _, f := range o.Stale {
		tell(f)
	}
	for i, set := range sets {
		if diff := cmp.Diff(set.String(), told[i].String()); diff != "" {
			t.Errorf("all claims of entry %d (-want +got):\n%s", i, diff)
		}
	}
}

// eachObject runs f over the live objects and answers of the public packs.
func eachObject(t *testing.T, f func(t *testing.T, object map[string]any)) {
	t.Helper()
	packs, err := filepath.Glob("../../../testdata/corpus/public-*.jsonl.gz")
	if err != nil || len(packs) != 2 {
		t.Fatalf("recorded packs: found %d of 2, %v", len(packs), err)
	}
	for _, pack := range packs {
		scenarios, err := parity.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		for _, scenario := range sampled.Of(t, 8, scenarios) {
			for _, step := range scenario.Steps {
				for at, raw := range map[string]json.RawMessage{"response": step.Response, "live": step.LiveAfter} {
					var object map[string]any
					if len(raw) == 0 || kjson.Unmarshal(raw, &object) != nil || object["kind"] == "Status" || object == nil {
						continue
					}
					t.Run(fmt.Sprintf("%s/%d/%s", scenario.Name, step.Index, at), func(t *testing.T) { f(t, object) })
				}
			}
		}
	}
}
