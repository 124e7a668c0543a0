package blame

import (
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/report"
)

// FuzzOwnersYAML: the lines of the blame view are the object, in YAML.
func FuzzOwnersYAML(f *testing.F) {
	for _, seed := range []string{
		`{"a":{"b":[1,"x",null,{"c":"d"}],"":{"y":true}},"text":"two\nlines\n","n":"0x1","e":{},"l":[]}`,
		`{"spec":{"ports":[{"port":80,"name":"a"},{"port":80},{"port":81,"protocol":"UDP","x":{"y":[[]]}}],"zones":["a","a"]}}`,
		`{"? odd: key":{"- x":1},"#":[{"":null}],"very long key ` + strings.Repeat("k", 150) + `":{"a":1}}`,
		`{"metadata":{"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:l":{"k:{\"n\":1}":{".":{}},"i:0":{"i:0":{}}}}}]},"l":[[["x"]],{"n":1,"m":{"a":1}}]}`,
	} {
		f.Add(seed)
	}
	schema, err := os.ReadFile("../../cmd/owners/testdata/owners/gadget.yaml")
	if err != nil {
		f.Fatal(err)
	}
	parser, err := typed.NewParser(typed.YAMLObject(schema))
	if err != nil {
		f.Fatal(err)
	}
	typedShape := managedfields.ShapeOf(parser.Type("gadget"))
	f.Fuzz(func(t *testing.T, text string) {
		var object map[string]any
		if kjson.Unmarshal([]byte(text), &object) != nil || !glyph.IsVisible(text) || tooOdd(text) {
			return
		}
		for _, shape := range []managedfields.Shape{{}, typedShape} {
			o := owners.New(report.Target{}, report.Source{}, object, shape)
			lines := yamlLines(o.Root)
			var b strings.Builder
			for _, l := range lines {
				b.WriteString(l.String() + "\n")
			}
			var got map[string]any
			if err := yaml.Unmarshal([]byte(b.String()), &got); err != nil {
				t.Fatalf("%v:\n%s", err, b.String())
			}
			want := asFloats(t, untracked(object))
			if len(lines) == 0 {
				got = map[string]any{}
			}
			if diff := cmp.Diff(want, asFloats(t, got)); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, b.String())
			}
		}
	})
}

// tooOdd leaves out what YAML cannot carry: escapes of what cannot be shown
// stay escapes in the view.
func tooOdd(text string) bool { return strings.Contains(text, `\u`) || strings.Contains(text, `\b`) }

func asFloats(t *testing.T, v any) any {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// untracked is the object without its managed fields.
func untracked(object map[string]any) map[string]any {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return object
	}
	object, metadata = maps.Clone(object), maps.Clone(metadata)
	delete(metadata, "managedFields")
	object["metadata"] = metadata
	return object
}
