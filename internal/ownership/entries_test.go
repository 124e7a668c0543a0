package ownership_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/lab"
)

const (
	applied = "kubectl Apply lab/v1 .: spec/mode spec/replicas"
	scaled  = "scaler Update lab/v1 scale: spec/replicas"
	edited  = "editor Update lab/v1 .: spec/mode spec/size"
	alien   = "x Delete lab/v1 .: spec/mode"
)

var mode, size, replicas = fieldpath.MakePathOrDie(
	"spec",
	"mode",
), fieldpath.MakePathOrDie(
	"spec",
	"size",
), fieldpath.MakePathOrDie(
	"spec",
	"replicas",
)

func of(manager string) func(managedfields.Entry) bool {
	return func(e managedfields.Entry) bool { return e.Manager == manager }
}

func entry(short string) managedfields.Entry {
	return managedfields.Of(lab.Gadget(short)).Entries[0]
}

// lines are the operations of a patch, a line each.
func lines(patch []report.PatchOperation) []string {
	var out []string
	for _, o := range patch {
		text, err := json.Marshal(o)
		if err != nil {
			panic(err)
		}
		out = append(out, string(text))
	}
	return out
}

func TestEdit(t *testing.T) {
	tests := []struct {
		name    string
		entries []string
		edit    func(*ownership.Entries)
		want    []string
		patch   []string
		guards  []string
	}{
		{
			name:    "nothing",
			entries: []string{applied, edited},
			edit:    func(*ownership.Entries) {},
			want:    []string{applied, edited},
		},
		{
			name: "one is removed", entries: []string{applied, scaled, edited},
			edit:  func(es *ownership.Entries) { es.Remove(of("scaler")) },
			want:  []string{applied, edited},
			patch: []string{`{"op":"remove","path":"/metadata/managedFields/1"}`},
			guards: []string{
				`{"op":"test","path":"/metadata/managedFields/1/manager","value":"scaler"}`,
				`{"op":"test","path":"/metadata/managedFields/1/operation","value":"Update"}`,
			},
		},
		{
			name: "several are removed from the last", entries: []string{applied, scaled, edited},
			edit: func(es *ownership.Entries) { es.Remove(of("kubectl")); es.Remove(of("editor")) },
			want: []string{scaled},
			patch: []string{
				`{"op":"remove","path":"/metadata/managedFields/2"}`,
				`{"op":"remove","path":"/metadata/managedFields/0"}`,
			},
			guards: []string{
				`{"op":"test","path":"/metadata/managedFields/0/manager","value":"kubectl"}`, `{"op":"test","path":"/metadata/managedFields/0/operation","value":"Apply"}`,
				`{"op":"test","path":"/metadata/managedFields/2/manager","value":"editor"}`, `{"op":"test","path":"/metadata/managedFields/2/operation","value":"Update"}`,
			},
		},
		{
			name: "all are reset", entries: []string{scaled},
			edit:  func(es *ownership.Entries) { es.Remove(of("scaler")) },
			patch: []string{`{"op":"replace","path":"/metadata/managedFields","value":[{}]}`},
			guards: []string{
				`{"op":"test","path":"/metadata/managedFields/0/manager","value":"scaler"}`,
				`{"op":"test","path":"/metadata/managedFields/0/operation","value":"Update"}`,
			},
		},
		{
			name: "one is pruned, and what is left empty goes", entries: []string{applied, scaled, edited},
			edit: func(es *ownership.Entries) { es.Disown(fieldpath.NewSet(replicas)) },
			want: []string{"kubectl Apply lab/v1 .: spec/mode", edited},
			patch: []string{
				`{"op":"replace","path":"/metadata/managedFields/0/fieldsV1","value":{"f:spec":{"f:mode":{}}}}`,
				`{"op":"remove","path":"/metadata/managedFields/1"}`,
			},
			guards: []string{
				`{"op":"test","path":"/metadata/managedFields/0/manager","value":"kubectl"}`, `{"op":"test","path":"/metadata/managedFields/0/operation","value":"Apply"}`,
				`{"op":"test","path":"/metadata/managedFields/1/manager","value":"scaler"}`, `{"op":"test","path":"/metadata/managedFields/1/operation","value":"Update"}`,
			},
		},
		{
			name: "one becomes an Apply entry", entries: []string{edited},
			edit:  func(es *ownership.Entries) { es.Become(of("editor"), managedfields.Apply) },
			want:  []string{"editor Apply lab/v1 .: spec/mode spec/size"},
			patch: []string{`{"op":"replace","path":"/metadata/managedFields/0/operation","value":"Apply"}`},
			guards: []string{
				`{"op":"test","path":"/metadata/managedFields/0/manager","value":"editor"}`,
				`{"op":"test","path":"/metadata/managedFields/0/operation","value":"Update"}`,
			},
		},
		{
			name: "what cannot be read stays", entries: []string{alien, applied},
			edit: func(es *ownership.Entries) { es.Disown(fieldpath.NewSet(mode)) },
			want: []string{"kubectl Apply lab/v1 .: spec/replicas", "x Delete lab/v1 .: "},
			patch: []string{
				`{"op":"replace","path":"/metadata/managedFields/1/fieldsV1","value":{"f:spec":{"f:replicas":{}}}}`,
			},
			guards: []string{
				`{"op":"test","path":"/metadata/managedFields/1/manager","value":"kubectl"}`,
				`{"op":"test","path":"/metadata/managedFields/1/operation","value":"Apply"}`,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			live := lab.Gadget(tt.entries...)
			es := ownership.Edit(live)
			tt.edit(es)
			patch, err := es.Patch()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.patch, lines(patch)); diff != "" {
				t.Errorf("patch (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.guards, lines(es.Guards(ownership.Manager, ownership.Operation))); diff != "" {
				t.Errorf("guards (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, lab.Entries(es.On(live))); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
		})
	}
}

func TestJoin(t *testing.T) {
	early, late := entry(applied), entry(applied)
	late.Set = fieldpath.NewSet(size)
	now := early.Time.AddDate(1, 0, 0)
	late.Time = &now
	tests := []struct {
		name    string
		entries []string
		join    managedfields.Entry
		want    []string
	}{
		{"a new one", []string{edited}, early, []string{applied, edited}},
		{
			"the same writer",
			[]string{applied, edited},
			late,
			[]string{"kubectl Apply lab/v1 .: spec/mode spec/replicas spec/size", edited},
		},
		{
			"another version is another writer",
			[]string{"kubectl Apply lab/v2 .: spec/mode"},
			early,
			[]string{applied, "kubectl Apply lab/v2 .: spec/mode"},
		},
		{"one that owns nothing is none", []string{edited}, managedfields.Entry{Set: fieldpath.NewSet()}, []string{edited}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			live := lab.Gadget(tt.entries...)
			es := ownership.Edit(live)
			es.Join(tt.join)
			object := es.On(live)
			if diff := cmp.Diff(tt.want, lab.Entries(object)); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			if tt.name == "the same writer" && !managedfields.Of(object).Entries[0].Time.Equal(now) {
				t.Error("the joined entry has not the later time")
			}
		})
	}
}

// TestPatchMakesWhatOnGives: over all edits of three entries, the patch applied to the
// object gives the entries of On, and with its guards it is refused by another object.
func TestPatchMakesWhatOnGives(t *testing.T) {
	edits := []func(*ownership.Entries, managedfields.Entry){
		func(*ownership.Entries, managedfields.Entry) {},
		func(es *ownership.Entries, e managedfields.Entry) { es.Remove(ownership.Is(e)) },
		func(es *ownership.Entries, e managedfields.Entry) {
			es.Prune(ownership.Is(e), fieldpath.NewSet(mode, replicas))
		},
		func(es *ownership.Entries, e managedfields.Entry) { es.Become(ownership.Is(e), managedfields.Apply) },
	}
	live := lab.Gadget(applied, scaled, edited)
	read := managedfields.Of(live).Entries
	for n := range len(edits) * len(edits) * len(edits) {
		es := ownership.Edit(live)
		for i, choice := range []int{n % 4, n / 4 % 4, n / 16} {
			edits[choice](es, read[i])
		}
		patch, err := es.Patch()
		if err != nil {
			t.Fatal(err)
		}
		patch = append(es.Guards(ownership.Manager), patch...)
		got, err := patched(live, patch)
		if err != nil {
			t.Fatalf("edit %d: %v", n, err)
		}
		want, is := lab.Entries(es.On(live)), lab.Entries(got)
		if want == nil {
			// A server takes the one empty entry as a reset.
			want = []string{"   .: "}
		}
		slices.Sort(want)
		slices.Sort(is)
		if diff := cmp.Diff(want, is); diff != "" {
			t.Errorf("edit %d (-On +Patch):\n%s", n, diff)
		}
		if _, err := patched(lab.Gadget("a Update lab/v1 .: spec/mode", "b Update lab/v1 .: spec/mode", "c Update lab/v1 .: spec/mode"), patch); err == nil &&
			len(patch) > 0 {
			t.Errorf("edit %d: another object takes the patch", n)
		}
	}
}

func patched(object map[string]any, patch []report.PatchOperation) (map[string]any, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(patch)
	if err != nil {
		return nil, err
	}
	operations, err := jsonpatch.DecodePatch(body)
	if err != nil {
		return nil, err
	}
	if patch == nil {
		return object, nil
	}
	if text, err = operations.Apply(text); err != nil {
		return nil, err
	}
	return lab.Object(string(text)), nil
}

// TestEditKeepsTheObject: neither the object nor its entries are changed by an edit, and an
// entry that is not edited keeps its bytes.
func TestEditKeepsTheObject(t *testing.T) {
	live := lab.Gadget(applied, edited)
	live["metadata"].(map[string]any)["managedFields"].([]any)[0].(map[string]any)["future"] = "kept"
	before := fmt.Sprint(live)
	es := ownership.Edit(live)
	es.Disown(fieldpath.NewSet(size))
	object := es.On(live)
	if after := fmt.Sprint(live); after != before {
		t.Errorf("the object changes (-want +got):\n%s", cmp.Diff(before, after))
	}
	first := object["metadata"].(map[string]any)["managedFields"].([]any)[0].(map[string]any)
	if first["future"] != "kept" {
		t.Errorf("the first entry is %v", first)
	}
}

func TestWholeObject(t *testing.T) {
	bare := lab.Object(`{"metadata":{}}`)
	tests := []struct {
		name string
		got  report.PatchOperation
		want string
	}{
		{"no entries to test", ownership.TestAll(bare), `{"op":"test","path":"/metadata/managedFields","value":[{}]}`},
		{"no entries left", ownership.ReplaceAll(bare), `{"op":"replace","path":"/metadata/managedFields","value":[{}]}`},
		{
			"entries",
			ownership.ReplaceAll(lab.Object(`{"metadata":{"managedFields":[{"manager":"a"}]}}`)),
			`{"op":"replace","path":"/metadata/managedFields","value":[{"manager":"a"}]}`,
		},
	}
	for _, tt := range tests {
		if diff := cmp.Diff([]string{tt.want}, lines([]report.PatchOperation{tt.got})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	if _, ok := ownership.TestVersion(bare); ok {
		t.Error("an object without resourceVersion has a test of it")
	}
	if test, ok := ownership.TestVersion(lab.Gadget()); !ok || test.Value != "7" {
		t.Errorf("the test of the resourceVersion is %v", test)
	}
}
