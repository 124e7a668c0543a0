package jsontree

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/json"
)

// deployment is a live object of a common size, most of it managed fields.
func deployment() []byte {
	entry := `{"apiVersion":"apps/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:replicas":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"main\"}":{".":{},"f:image":{},"f:name":{}}}}}}},"manager":"kubectl","operation":"Apply","time":"2024-01-01T00:00:00Z"}`
	return fmt.Appendf(
		nil,
		`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"labels":{"app":"web"},"managedFields":[%[1]s,%[1]s,%[1]s],"name":"web","namespace":"shop"},`+
			`"spec":{"replicas":3,"template":{"spec":{"containers":[{"env":[%[2]s{"name":"LAST","value":"v"}],"image":"nginx","name":"main","ports":[{"containerPort":8080}]}]}}}}`,
		entry,
		strings.Repeat(`{"name":"SOME","value":"text"},`, 20),
	)
}

// BenchmarkLibrary runs what is here beside what it stands in for.
func BenchmarkLibrary(b *testing.B) {
	text := deployment()
	tree, err := Decode(text)
	if err != nil {
		b.Fatal(err)
	}
	var indented bytes.Buffer
	if err := stdjson.Indent(&indented, text, "        ", "    "); err != nil {
		b.Fatal(err)
	}
	path := []string{"metadata", "managedFields", "*", "fieldsV1"}
	for _, bench := range []struct {
		name          string
		ours, library func() bool
	}{
		{"Decode",
			func() bool { _, err := Decode(text); return err == nil },
			func() bool { var object map[string]any; return json.Unmarshal(text, &object) == nil }},
		{"Equal",
			func() bool { return Equal(text, tree) },
			func() bool {
				var object map[string]any
				return json.Unmarshal(text, &object) == nil && reflect.DeepEqual(object, tree)
			}},
		{"Texts",
			func() bool { texts, _ := Texts(text, path...); return len(texts) == 3 },
			func() bool {
				var object struct {
					Metadata struct {
						ManagedFields []struct{ FieldsV1 stdjson.RawMessage }
					}
				}
				return stdjson.Unmarshal(text, &object) == nil && len(object.Metadata.ManagedFields) == 3
			}},
		{"AppendCompact",
			func() bool { return len(AppendCompact(nil, indented.Bytes())) == len(text) },
			func() bool { var out bytes.Buffer; return stdjson.Compact(&out, indented.Bytes()) == nil }},
	} {
		for by, run := range map[string]func() bool{"ours": bench.ours, "library": bench.library} {
			b.Run(bench.name+"/"+by, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if !run() {
						b.Fatal("another result")
					}
				}
			})
		}
	}
}
