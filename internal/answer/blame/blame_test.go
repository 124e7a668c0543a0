package blame

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/report"
)

var now = time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)

// object reads a live object.
func object(t *testing.T, written string) *owners.Object {
	t.Helper()
	var tree map[string]any
	if err := yaml.Unmarshal([]byte(written), &tree); err != nil {
		t.Fatal(err)
	}
	return owners.New(
		report.Target{APIVersion: "v1", Kind: "Thing", Namespace: "shop", Name: "web"},
		report.Source{File: "live.yaml",
			Line: 1},
		tree,
		managedfields.Shape{},
	)
}

const web = `
metadata:
  name: web
  managedFields:
  - {manager: helm, operation: Apply, apiVersion: v1, time: "2026-11-18T06:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:a": {}, "f:b": {".": {}, "f:c": {}}, "f:gone": {}}}}
  - {manager: hpa, operation: Update, subresource: scale, apiVersion: v2, time: "2026-11-21T03:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:a": {}, "f:list": {}}}}
spec:
  a: 1
  b: {c: two words}
  free: x
  list: [1, 2]
`

// section is the page of an object in a layout.
func section(t *testing.T, written string, layout Layout, filter owners.Filter, o page.Options) string {
	t.Helper()
	o.Now = now
	s := ownership(object(t, written), filter, layout, o)
	return s.Title.String() + "\n" + text.Blocks(s.Blocks, text.Options{Width: 200})
}

// TestLayouts: the owners of one object in each of the layouts.
func TestLayouts(t *testing.T) {
	const title = "thing/web (namespace shop): 3 fields owned, 1 shared, 1 unowned, 1 stale\n"
	const legend = "\nA  helm  Apply            3d  2 fields\nB  hpa   Update of scale  3h  2 fields at v2\n"
	const gone = "\nOwned, but not in the object\n  A  .spec.gone\n"
	for layout, want := range map[Layout]string{
		OwnersTable: "\nField       Manager  Operation        Age  Note\n.spec.a     helm     Apply            3d   shared\n" +
			".spec.a     hpa      Update of scale  3h   shared, at v2\n" +
			".spec.b.c   helm     Apply            3d\n.spec.list  hpa      Update of scale  3h   at v2\n" +
			".spec.gone  helm     Apply            3d   stale\n" +
			"\nLeft out: 1 map or item whose owners also own fields inside, 1 field without an owner. -v shows all.\n",
		OwnersTree: legend + "\n└─ spec\n   ├─ a: 1                            A+B helm +1, 3h\n" +
			"   ├─ b.c: \"two words\"                A helm, 3d\n   ├─ free: x                         -\n" +
			"   └─ list: […] (2 items, one field)  B hpa, 3h\n" + gone,
		OwnersManagers: "\nhelm (Apply), last write 2026-11-18 06:00 UTC (3d): 2 fields, 1 shared, 1 stale\n  .spec\n\n" +
			"hpa (Update of scale at v2), last write 2026-11-21 03:00 UTC (3h): 2 fields, 1 shared\n  .spec\n",
		OwnersBlame: legend + "\n               │ metadata:\n               │   name: web\n               │ spec:\nA+B helm +1 3h │   a: 1\n" +
			"A   helm    3d │   b:\nA   helm    3d │     c: two words\n" +
			"-              │   free: x\nB   hpa     3h │   list:\nB   hpa     3h │   - 1\nB   hpa     3h │   - 2\n" + gone,
	} {
		got := section(t, web, layout, owners.Filter{}, page.Options{})
		if diff := cmp.Diff(title+want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", layout, diff)
		}
	}
}

// TestNothingToShow: an object without owners says why, and a filter that fits nothing what
// there is instead.
func TestNothingToShow(t *testing.T) {
	const bare = "metadata: {name: web}\nspec: {a: 1}\n"
	const broken = "metadata: {name: web, managedFields: [{manager: helm, operation: Apply, apiVersion: v1, fieldsType: FieldsV2, " +
		"fieldsV1: {}}]}\nspec: {a: 1}\n"
	for name, tt := range map[string]struct {
		of     string
		filter owners.Filter
		want   []string
	}{
		"no managed fields": {bare, owners.Filter{}, []string{"The object came without managedFields",
			"kubectl get --namespace=shop --output=yaml --show-managed-fields -- thing web > live.yaml"}},
		"one unreadable": {broken, owners.Filter{}, []string{"unreadable: metadata.managedFields[0] of helm: ",
			"No server writes such entries"}},
		"no such manager": {web, owners.Filter{Managers: []string{"flux"}},
			[]string{`No entry is of a field manager "flux". There are: helm, hpa.`}},
		"no such field": {web, owners.Filter{Fields: []string{".spec.lst"}},
			[]string{"There is no field .spec.lst. The nearest is .spec.list."}},
		"inside of an owned": {web, owners.Filter{Fields: []string{".spec.list[0]"}},
			[]string{".spec.list[0] is inside .spec.list, which is owned as a whole."}},
		"nothing of both": {web, owners.Filter{Managers: []string{"hpa"}, Fields: []string{".spec.b"}}, []string{"No field matches."}},
		"not tracked":     {web, owners.Filter{Fields: []string{".metadata.name"}}, []string{"The server tracks no owners for this"}},
	} {
		got := section(t, tt.of, OwnersTable, tt.filter, page.Options{})
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: want %q in\n%s", name, want, got)
			}
		}
	}
}

// TestLetters name as many entries as there are.
func TestLetters(t *testing.T) {
	for entry, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA"} {
		if got := letters(entry); got != want {
			t.Errorf("entry %d is %s, want %s", entry, got, want)
		}
	}
	if got := claimLetters([]owners.Claim{{Entry: 0}, {Entry: 2, Inside: true}}); got != "A+(C)" {
		t.Errorf("claims are %s", got)
	}
}

// TestDocument: the managers of all objects, and how far the run came.
func TestDocument(t *testing.T) {
	a := owners.Answer{Objects: []*owners.Object{object(t, web)}}
	a.Interrupted = &report.Interruption{Answered: 1, Total: 2}
	got := Document(a, OwnersTable, page.Options{})
	if diff := cmp.Diff([]string{"helm", "hpa"}, got.Managers); diff != "" {
		t.Errorf("managers (-want +got):\n%s", diff)
	}
	if got.State != model.Failed || len(got.Headline) != 1 ||
		got.Headline[0].String() != "interrupted after 1 of 2 objects" ||
		got.Sections[0].Subject.State != model.Accepted {
		t.Errorf("the document is %+v", got)
	}
}

// TestKeyText: a key as YAML has it, with its colon.
func TestKeyText(t *testing.T) {
	for key, want := range map[string]string{"a": "a:", "yes": `"yes":`, "a: b": "'a: b':", "": `"":`,
		"app.kubernetes.io/name": "app.kubernetes.io/name:"} {
		if got := keyText(key); got != want {
			t.Errorf("keyText(%q) = %s, want %s", key, got, want)
		}
	}
}
