package walk

import (
	"sort"
	"strings"
)

// body gives a whole object, changed a little half of the time.
func (w *Walker) body() map[string]any {
	body := clone(w.seed.Bodies[w.r.IntN(len(w.seed.Bodies))]).(map[string]any)
	if w.r.IntN(2) == 0 {
		body = w.mutated(body)
	}
	w.identify(body)
	metadata := child(body, "metadata")
	for _, field := range []string{"resourceVersion", "uid", "generateName"} {
		if w.r.IntN(20) > 0 {
			delete(metadata, field)
		}
	}
	return body
}

// mutated changes what an object says, its own metadata as often as the rest.
func (w *Walker) mutated(body map[string]any) map[string]any {
	if w.r.IntN(5) == 0 {
		w.changeMetadata(child(body, "metadata"))
		return body
	}
	changed, ok := mutate(w.r, body).(map[string]any)
	if !ok {
		return body
	}
	return changed
}

// identify names the object that the walk is about.
func (w *Walker) identify(body map[string]any) {
	body["apiVersion"], body["kind"] = w.seed.Target.APIVersion, w.seed.Target.Kind
	metadata := child(body, "metadata")
	metadata["name"] = w.name
	if w.seed.Path.Namespace != "" {
		metadata["namespace"] = w.Namespace
	} else {
		delete(metadata, "namespace")
	}
}

// changeMetadata does one of the things that metadata is used for.
func (w *Walker) changeMetadata(metadata map[string]any) {
	owner := map[string]any{
		"apiVersion": "v1",
		"kind":       "ConfigMap",
		"name":       "o",
		"uid":        "11111111-0000-0000-0000-00000000000" + []string{"0", "1"}[w.r.IntN(2)],
	}
	switch w.r.IntN(10) {
	case 0, 1:
		child(metadata, "labels")["k"+[]string{"1", "2"}[w.r.IntN(2)]] = []any{"a", "b", "", nil}[w.r.IntN(4)]
	case 2:
		child(metadata, "annotations")["example.com/n"] = []any{"1", "2", nil}[w.r.IntN(3)]
	case 3:
		metadata["finalizers"] = []any{"example.com/a"}
	case 4:
		metadata["finalizers"] = []any{"example.com/b", "example.com/a", "example.com/b"}[:w.r.IntN(4)]
	case 5:
		metadata["ownerReferences"] = []any{owner}
	case 6:
		metadata["managedFields"] = []any{
			nil, []any{}, []any{map[string]any{}}, []any{map[string]any{"manager": "m"}},
		}[w.r.IntN(4)]
	case 7:
		metadata["resourceVersion"] = []any{"1", "", nil, "x"}[w.r.IntN(4)]
	case 8:
		metadata["uid"] = []any{"", "11111111-0000-0000-0000-000000000000"}[w.r.IntN(2)]
	case 9:
		metadata["creationTimestamp"] = nil
	}
}

// applied gives an applied configuration: a body, or a part of the live object.
func (w *Walker) applied(live map[string]any, subresource string) map[string]any {
	if subresource != "" {
		return w.sub(live, subresource)
	}
	if w.r.IntN(2) == 0 {
		return w.body()
	}
	body := w.part(withoutServerMetadata(clone(live).(map[string]any)))
	if w.r.IntN(3) == 0 {
		body = w.mutated(body)
	}
	w.identify(body)
	return body
}

// updated gives what a controller that read the object writes back.
func (w *Walker) updated(live map[string]any, subresource string) map[string]any {
	if subresource != "" {
		return w.sub(live, subresource)
	}
	body := clone(live).(map[string]any)
	if w.r.IntN(3) == 0 {
		body = w.body()
	} else {
		body = w.mutated(body)
	}
	w.identify(body)
	return body
}

// patch gives a merge patch: a part of the live object or of a body, changed.
func (w *Walker) patch(live map[string]any, subresource string) map[string]any {
	if subresource != "" {
		return w.sub(live, subresource)
	}
	source := w.seed.Bodies[w.r.IntN(len(w.seed.Bodies))]
	if w.r.IntN(2) == 0 {
		source = live
	}
	body := w.part(withoutServerMetadata(clone(source).(map[string]any)))
	delete(body, "apiVersion")
	delete(body, "kind")
	if metadata, ok := body["metadata"].(map[string]any); ok {
		delete(metadata, "name")
		delete(metadata, "namespace")
	}
	return w.mutated(body)
}

// sub gives a body for a subresource.
func (w *Walker) sub(live map[string]any, subresource string) map[string]any {
	if recorded := w.seed.Status[subresource]; len(recorded) > 0 && w.r.IntN(2) == 0 {
		body := clone(recorded[w.r.IntN(len(recorded))]).(map[string]any)
		delete(child(body, "metadata"), "resourceVersion")
		delete(child(body, "metadata"), "uid")
		return w.mutated(body)
	}
	if subresource == "scale" {
		return map[string]any{
			"apiVersion": "autoscaling/v1", "kind": "Scale",
			"metadata": map[string]any{"name": w.name, "namespace": w.Namespace},
			"spec":     map[string]any{"replicas": []any{0.0, 1.0, 3.0, -1.0, nil, "x"}[w.r.IntN(6)]},
		}
	}
	body := withoutServerMetadata(clone(live).(map[string]any))
	if w.r.IntN(2) == 0 {
		delete(body, "spec")
	}
	status := child(body, "status")
	switch w.r.IntN(4) {
	case 0:
		status["conditions"] = []any{
			map[string]any{
				"type":               "Ready",
				"status":             "True",
				"reason":             "R",
				"message":            "m",
				"lastTransitionTime": "2024-01-01T00:00:00Z",
			},
		}
	case 1:
		status["observedGeneration"] = float64(w.r.IntN(3))
	default:
		body = w.mutated(body)
	}
	w.identify(body)
	return body
}

// part leaves top-level fields, and fields of spec, away.
func (w *Walker) part(body map[string]any) map[string]any {
	for _, fields := range []map[string]any{body, child(body, "metadata"), anyMap(body["spec"]), anyMap(body["data"])} {
		for _, key := range sortedKeys(fields) {
			if key != "metadata" && w.r.IntN(2) == 0 {
				delete(fields, key)
			}
		}
	}
	return body
}

// jsonPatch gives up to three operations on places that the object has.
func (w *Walker) jsonPatch(live map[string]any) []any {
	var operations []any
	for range w.r.IntN(3) + 1 {
		path, value := w.place("", live)
		operation := []string{"replace", "remove", "add", "test", "copy"}[w.r.IntN(5)]
		entry := map[string]any{"op": operation, "path": path}
		switch operation {
		case "replace", "add":
			entry["value"] = change(w.r, clone(value))
		case "test":
			entry["value"] = value
		case "copy":
			entry["from"] = path
			entry["path"] = "/metadata/annotations/copied"
		}
		operations = append(operations, entry)
	}
	return operations
}

// place gives a JSON pointer to a random place, and its value.
func (w *Walker) place(path string, value any) (string, any) {
	fields, ok := value.(map[string]any)
	if !ok || len(fields) == 0 || path != "" && w.r.IntN(4) == 0 {
		return path, value
	}
	key := pickKey(w.r, fields)
	if path == "/metadata" && (key == "managedFields" || key == "name" || key == "namespace") {
		key = "labels"
	}
	escaped := strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
	return w.place(path+"/"+escaped, fields[key])
}

func withoutServerMetadata(object map[string]any) map[string]any {
	metadata := child(object, "metadata")
	for _, field := range []string{"managedFields", "uid", "resourceVersion", "creationTimestamp", "generation"} {
		delete(metadata, field)
	}
	return object
}

func anyMap(value any) map[string]any {
	fields, _ := value.(map[string]any)
	return fields
}

func sortedKeys(fields map[string]any) []string {
	keys := make([]string, 0, len(fields))
	for key := range fields {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
