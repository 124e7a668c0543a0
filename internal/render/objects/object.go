package objects

import "reflect"

// WithoutManagedFields gives the object without metadata.managedFields; the
// given one is not touched.
func WithoutManagedFields(object map[string]any) map[string]any {
	return withoutMetadata(object, "managedFields")
}

// withoutMetadata drops keys of the metadata from a copy that shares the rest.
func withoutMetadata(object map[string]any, keys ...string) map[string]any {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return object
	}
	kept := shallow(metadata)
	for _, k := range keys {
		delete(kept, k)
	}
	out := shallow(object)
	out["metadata"] = kept
	return out
}

// forDiff leaves out what the server alone keeps, and a status that is the
// same on both sides. Nil stays nil: there is no object.
func forDiff(live, result map[string]any, o Options) (old, new map[string]any) {
	var noise []string
	if !o.ShowManagedFields {
		noise = append(noise, "managedFields")
	}
	if !o.ShowServerFields {
		noise = append(noise, "resourceVersion", "uid", "generation", "creationTimestamp")
	}
	if live != nil {
		old = withoutMetadata(live, noise...)
	}
	if result != nil {
		new = withoutMetadata(result, noise...)
	}
	if old != nil && new != nil && reflect.DeepEqual(old["status"], new["status"]) {
		old, new = shallow(old), shallow(new)
		delete(old, "status")
		delete(new, "status")
	}
	return old, new
}

func shallow(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}
