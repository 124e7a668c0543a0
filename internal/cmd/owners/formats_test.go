package owners

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/answer/blame"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/formats"
	"github.com/ssactl/ssactl/test/golden"
)

// gadgetShape is the merge type of testdata/owners/gadget.yaml.
func gadgetShape(t testing.TB) managedfields.Shape {
	t.Helper()
	b, err := os.ReadFile("testdata/owners/gadget.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p, err := typed.NewParser(typed.YAMLObject(b))
	if err != nil {
		t.Fatal(err)
	}
	return managedfields.ShapeOf(p.Type("gadget"))
}

// ownersObject reads testdata/owners/<name>.json.
func ownersObject(t testing.TB, name string) *owners.Object {
	t.Helper()
	b, err := os.ReadFile("testdata/owners/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := kjson.Unmarshal(b, &object); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	target := report.Target{APIVersion: "lab.example.com/v1", Kind: "Gadget", Namespace: "shop", Name: "web"}
	return owners.New(target, report.Source{File: "live.json", Document: 1, Line: 1}, object, gadgetShape(t))
}

func TestOwnersGolden(t *testing.T) {
	web, hostile := []*owners.Object{ownersObject(t, "web")}, []*owners.Object{ownersObject(t, "hostile")}
	for _, layout := range blame.Layouts() {
		for _, width := range []int{60, 80, 160} {
			for _, color := range []string{"", "_color"} {
				name := fmt.Sprintf("%s_%d%s", layout, width, color)
				t.Run(name, func(t *testing.T) {
					checkOwners(
						t,
						name,
						owners.Answer{Objects: web},
						layout,
						show.Options{Width: width, Fit: true, Color: color != "", Now: golden.Now},
					)
				})
			}
		}
		formats.CheckAnswers(t, func(objects []*owners.Object) show.Answer {
			return formatsOf(owners.Answer{Objects: objects}, layout)
		}, []formats.AnswerCase[*owners.Object]{
			{"owners/" + string(layout), "text", show.Options{}, web},
			{"owners/" + string(layout), "markdown", show.Options{}, web},
			{"owners/" + string(layout), "html", show.Options{}, web},
			{"owners/" + string(layout) + "_verbose", "text", show.Options{Verbose: true}, web},
			{"owners/" + string(layout) + "_hostile", "html", show.Options{}, hostile},
		})
	}
	for _, c := range []struct {
		name    string
		layout  blame.Layout
		objects []*owners.Object
		filter  owners.Filter
	}{
		{"blame_shared", blame.OwnersBlame, web, owners.Filter{States: []owners.Kind{owners.SharedFields}}},
		{"blame_stale", blame.OwnersBlame, web, owners.Filter{States: []owners.Kind{owners.StaleFields}}},
		{"table_unowned", blame.OwnersTable, web, owners.Filter{States: []owners.Kind{owners.UnownedFields}}},
		{"table_unmatched", blame.OwnersTable, web, owners.Filter{Managers: []string{"absent"}, Fields: []string{"spec.replica", "spec.args[0]"}}},
		{"table_untracked", blame.OwnersTable, web, owners.Filter{Fields: []string{"metadata.name"}}},
		{"managers_one", blame.OwnersManagers, web, owners.Filter{Managers: []string{"kube*"}}},
		{"tree_field", blame.OwnersTree, web, owners.Filter{Fields: []string{"spec.ports[port=80"}}},
		{"table_none", blame.OwnersTable, []*owners.Object{ownersObject(t, "none"), ownersObject(t, "broken")}, owners.Filter{}},
		{"blame_hostile", blame.OwnersBlame, hostile, owners.Filter{}},
		{"tree_hostile", blame.OwnersTree, hostile, owners.Filter{}},
		{"managers_hostile", blame.OwnersManagers, hostile, owners.Filter{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkOwners(
				t,
				c.name,
				owners.Answer{Objects: c.objects, Filter: c.filter},
				c.layout,
				show.Options{Width: 80, Fit: true, Now: golden.Now},
			)
		})
	}
}

// checkOwners compares with a golden, and checks what holds for every one:
// nothing acts on a terminal, and color adds nothing.
func checkOwners(t *testing.T, name string, a owners.Answer, layout blame.Layout, o show.Options) {
	t.Helper()
	got := ownersText(t, a, layout, o)
	golden.CheckGolden(t, "owners/"+name+".text", got)
	plain := ansi.ReplaceAllString(got, "")
	formats.NothingActs(t, show.Options{}, plain)
	o.Color = false
	if diff := cmp.Diff(ownersText(t, a, layout, o), plain); diff != "" {
		t.Errorf("color changes the text (-want +got):\n%s", diff)
	}
}

var ansi = regexp.MustCompile("\x1b\\[[0-9;]*m")

func ownersText(t *testing.T, a owners.Answer, layout blame.Layout, o show.Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := formatsOf(a, layout).Write(&out, "text", o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestOwnersDocument(t *testing.T) {
	objects := []*owners.Object{ownersObject(t, "web"), ownersObject(t, "none"), ownersObject(t, "broken")}
	answer := owners.Answer{
		Objects: objects,
		Ending: report.Ending{
			Problems:    []report.Problem{{Source: report.Source{File: "x.yaml"}, Message: "no such file"}},
			Interrupted: &report.Interruption{Answered: 3, Total: 7},
		},
	}
	var asJSON, asYAML bytes.Buffer
	for format, to := range map[string]*bytes.Buffer{"json": &asJSON, "yaml": &asYAML} {
		if err := formatsOf(answer, blame.OwnersTable).Write(to, format, show.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	golden.CheckGolden(t, "owners/document.json", asJSON.String())
	converted, err := yaml.YAMLToJSON(asYAML.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	if err := json.Unmarshal(asJSON.Bytes(), &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(converted, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("YAML differs from JSON (-json +yaml):\n%s", diff)
	}
}

// TestOwnersEmpty: no objects, and an object without anything, are no error.
func TestOwnersEmpty(t *testing.T) {
	for _, layout := range blame.Layouts() {
		if got := ownersText(t, owners.Answer{}, layout, show.Options{}); got != "" {
			t.Errorf("%s of nothing: %q", layout, got)
		}
		empty := owners.New(report.Target{}, report.Source{}, nil, managedfields.Shape{})
		if got := ownersText(t, owners.Answer{Objects: []*owners.Object{empty}}, layout, show.Options{}); !strings.Contains(
			got,
			"without managedFields",
		) {
			t.Errorf("%s of an empty object: %q", layout, got)
		}
	}
}

func TestFieldInterrupted(t *testing.T) {
	d := conflict.Answers{Ending: report.Ending{Interrupted: &report.Interruption{Answered: 1, Total: 3}}}
	formats.Says(t, fieldFormatsOf(d), "text", show.Options{}, "interrupted after 1 of 3 objects\n")
}
