package migrate

import (
	"fmt"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// extract puts together what an entry's manager applied: the live values of
// the owned fields, and the identity. Values are in the server's spelling, and
// what was never stored is missing (as for apimachinery,
// util/managedfields/extract.go).
func extract(t typed.ParseableType, live map[string]any, set *fieldpath.Set) (body map[string]any, err error) {
	defer func() {
		if p := recover(); p != nil {
			body, err = nil, fmt.Errorf("extract the owned fields: %v", p)
		}
	}()
	tv, err := t.FromUnstructured(live, typed.AllowDuplicates)
	if err != nil {
		return nil, fmt.Errorf("read the live object: %w", err)
	}
	set = set.Difference(fieldpath.NewSet(lastAppliedPath))
	body, ok := tv.ExtractItems(set.Leaves(), typed.WithAppendKeyFields()).AsValue().Unstructured().(map[string]any)
	if !ok {
		body = map[string]any{}
	}
	body = with(with(body, "apiVersion", live["apiVersion"]), "kind", live["kind"])
	metadata, _ := body["metadata"].(map[string]any)
	from, _ := live["metadata"].(map[string]any)
	for _, key := range []string{"name", "namespace"} {
		if v, ok := from[key]; ok {
			metadata = with(metadata, key, v)
		}
	}
	body["metadata"] = metadata
	return body, nil
}
