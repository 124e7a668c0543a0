package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

const widgetSchema = `types:
- name: widget
  map:
    fields:
    - {name: apiVersion, type: {scalar: string}}
    - {name: kind, type: {scalar: string}}
    - {name: metadata, type: {map: {fields: [{name: name, type: {scalar: string}}, {name: namespace, type: {scalar: string}}, {name: uid, type: {scalar: string}}]}}}
    - name: spec
      type:
        map:
          fields:
          - {name: replicas, type: {scalar: numeric}}
          - {name: paused, type: {scalar: boolean}}
          - name: ports
            type:
              list:
                elementRelationship: associative
                keys: [port]
                elementType: {map: {fields: [{name: port, type: {scalar: numeric}}, {name: name, type: {scalar: string}}]}}
`

func TestExtract(t *testing.T) {
	parser, err := typed.NewParser(widgetSchema)
	if err != nil {
		t.Fatal(err)
	}
	object := decode(t, `{"apiVersion":"v1","kind":"Widget","metadata":{"name":"w","namespace":"n","uid":"u"},
		"spec":{"replicas":3,"paused":true,"ports":[{"port":1,"name":"a"},{"port":2,"name":"b"}]}}`)
	tests := []struct {
		name string
		set  *fieldpath.Set
		want string
	}{
		{"nothing", fieldpath.NewSet(), `{"apiVersion":"v1","kind":"Widget","metadata":{"name":"w","namespace":"n"}}`},
		{"a scalar", fieldpath.NewSet(fieldpath.MakePathOrDie("spec", "replicas")),
			`{"apiVersion":"v1","kind":"Widget","metadata":{"name":"w","namespace":"n"},"spec":{"replicas":3}}`},
		{
			"a field of an item takes the item's key along",
			fieldpath.NewSet(fieldpath.MakePathOrDie("spec", "ports", fieldpath.KeyByFields("port", int64(2)), "name")),
			`{"apiVersion":"v1","kind":"Widget","metadata":{"name":"w","namespace":"n"},"spec":{"ports":[{"port":2,"name":"b"}]}}`,
		},
		{"a field that the object lacks", fieldpath.NewSet(fieldpath.MakePathOrDie("spec", "gone")),
			`{"apiVersion":"v1","kind":"Widget","metadata":{"name":"w","namespace":"n"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Extract(parser.Type("widget"), object, tt.set)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(decode(t, tt.want), got); diff != "" {
				t.Errorf("Extract (-want +got):\n%s", diff)
			}
		})
	}
}

func TestExtractOfAnotherKindIsAnError(t *testing.T) {
	parser, err := typed.NewParser(widgetSchema)
	if err != nil {
		t.Fatal(err)
	}
	set := fieldpath.NewSet(fieldpath.MakePathOrDie("spec", "replicas"))
	if got, err := Extract(parser.Type("widget"), decode(t, `{"spec":"text"}`), set); err == nil {
		t.Errorf("got %v, want an error", got)
	}
}

func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := kjson.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
