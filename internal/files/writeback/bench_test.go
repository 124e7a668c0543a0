package writeback

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
)

// BenchmarkRewrite changes one object of a List of 5000, in each format.
func BenchmarkRewrite(b *testing.B) {
	var objects []any
	for i := range 5000 {
		object := configMap(fmt.Sprint("c", i), "value")
		object["metadata"].(map[string]any)["managedFields"] = []any{map[string]any{
			"manager": "m", "operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1",
			"fieldsV1": map[string]any{"f:data": map[string]any{"f:k": map[string]any{}, "f:l": map[string]any{}}},
		}}
		objects = append(objects, object)
	}
	list := map[string]any{"apiVersion": "v1", "kind": "List", "items": objects}
	asYAML, err := encodeYAML(list, "\n")
	if err != nil {
		b.Fatal(err)
	}
	asJSON, err := json.MarshalIndent(list, "", "    ")
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string][]byte{"YAML": asYAML, "JSON": asJSON} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				edited, err := rewrite(text, []change{{at: Place{Document: 1, Item: 2500}, object: configMap("c2500", "x")}})
				if err != nil || bytes.Equal(text, edited) {
					b.Fatal("nothing was written: ", err)
				}
			}
		})
	}
}
