package owners

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/lab"
)

// TestDocument: what other programs read of an object, its entries that cannot be read
// included.
func TestDocument(t *testing.T) {
	web := report.Target{APIVersion: "lab/v1", Kind: "Gadget", Name: "g"}
	shape := managedfields.ShapeOf(lab.Type)
	live := lab.Gadget(
		"a Apply lab/v1 .: spec/mode spec/size spec/gone",
		"b Update lab/v1 .: spec/mode",
		"odd Sideways lab/v1 .: spec/mode",
	)
	bare, broken := lab.Gadget(), lab.Gadget()
	broken["metadata"].(map[string]any)["managedFields"] = "text"
	a := Answer{
		Objects: []*Object{
			New(web, report.Source{File: "x.yaml"}, live, shape),
			New(web, report.Source{}, bare, shape),
			New(web, report.Source{}, broken, shape),
		},
	}
	if diff := cmp.Diff([]string{"a", "b", "odd"}, a.Managers()); diff != "" {
		t.Errorf("managers (-want +got)\n%s", diff)
	}
	d := a.Document()
	first := d.Objects[0]
	if diff := cmp.Diff(Counts{Owned: 2, Shared: 1, Unowned: 3, Stale: 1}, first.Counts); diff != "" || !first.Tracked ||
		first.Source.File != "x.yaml" {
		t.Errorf("tracked %t, counts (-want +got)\n%s", first.Tracked, diff)
	}
	var managers []string
	for _, m := range first.Managers {
		b, err := json.Marshal([]any{m.Manager, m.Fields, m.Shared, m.Stale, m.Roots})
		if err != nil {
			t.Fatal(err)
		}
		managers = append(managers, string(b))
	}
	if diff := cmp.Diff([]string{`["a",2,1,1,[".spec"]]`, `["b",1,1,0,[".spec.mode"]]`}, managers); diff != "" {
		t.Errorf("managers (-want +got)\n%s", diff)
	}
	var fields []string
	for _, f := range first.Fields {
		line := f.Field + " " + string(f.State)
		for _, o := range f.Managers {
			line += " " + o.Manager
		}
		if f.Value != nil {
			b, err := json.Marshal(f.Value)
			if err != nil {
				t.Fatal(err)
			}
			line += " = " + string(b)
		}
		fields = append(fields, line)
	}
	want := []string{
		".spec.mode Owned a b = \"fast\"", ".spec.ports[port=80].port Unowned = 80", ".spec.ports[port=80].name Unowned = \"http\"",
		".spec.replicas Unowned = 2", ".spec.size Owned a = 5", ".spec.gone Stale a",
	}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Errorf("fields (-want +got)\n%s", diff)
	}
	for i, want := range []int{1, 0, 1} {
		if got := d.Objects[i].Unreadable; len(got) != want || want > 0 && got[0].Error == "" {
			t.Errorf("object %d: unreadable %+v", i, got)
		}
	}
	if u := d.Objects[0].Unreadable[0]; u.Index != 2 || u.Manager != "odd" || d.Objects[2].Unreadable[0].Index != -1 {
		t.Errorf("unreadable are %+v and %+v", u, d.Objects[2].Unreadable[0])
	}
	if d.Objects[1].Tracked || d.Objects[2].Tracked || d.Objects[1].Fields == nil || d.Objects[1].Managers == nil {
		t.Errorf("an object without entries: %+v", d.Objects[1])
	}
}

// TestRepeated: items of one key are one row with the list of them, and count once.
func TestRepeated(t *testing.T) {
	live := lab.Gadget(`a Apply lab/v1 .: spec/ports/k:{"port":80}/name`)
	live["spec"].(map[string]any)["ports"] = []any{
		map[string]any{
			"port": int64(80),
			"name": "a",
		}, map[string]any{"port": int64(81)}, map[string]any{"port": int64(80), "name": "b"},
	}
	o := New(report.Target{}, report.Source{}, live, managedfields.ShapeOf(lab.Type))
	rows := 0
	for _, f := range o.Rows() {
		if f.Name != ".spec.ports[port=80]" {
			continue
		}
		rows++
		values, _ := f.Value.([]any)
		if !f.Repeated || len(values) != 2 || len(f.Claims) != 1 || !f.Claims[0].Inside {
			t.Errorf("the row is %+v", f)
		}
	}
	if rows != 1 || o.Counts.Owned != 1 {
		t.Errorf("%d rows, %+v", rows, o.Counts)
	}
}

// TestKeys: a field is known by its key, items and the object have none, and lists are
// told from maps.
func TestKeys(t *testing.T) {
	o := New(report.Target{}, report.Source{}, lab.Gadget(), managedfields.ShapeOf(lab.Type))
	keys := map[string]string{}
	lists := 0
	o.Root.Each(func(f *Field) {
		keys[f.Name] = f.Key()
		if f.List() {
			lists++
		}
	})
	for name, want := range map[string]string{"": "", ".spec": "spec", ".spec.ports": "ports", ".spec.ports[port=80]": "", ".spec.ports[port=80].name": "name"} {
		if got, ok := keys[name]; !ok || got != want {
			t.Errorf("%q has the key %q (%t), want %q", name, got, ok, want)
		}
	}
	if lists != 1 {
		t.Errorf("%d lists, want 1: %v", lists, keys)
	}
}
