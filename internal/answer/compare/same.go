package compare

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"

	"github.com/ssactl/ssactl/internal/report"
)

// same reports whether two results say the same, but for the places of manifests and the
// time of the write. What is refused has no object, so that the manifests are compared.
func same(before, after Written) bool {
	a, b := before.Result, after.Result
	switch {
	case a.Outcome != b.Outcome || a.Code != b.Code || a.Operation != b.Operation || a.Force != b.Force ||
		a.Manager != b.Manager || a.Deleted != b.Deleted || a.Recreated != b.Recreated || a.Hook != b.Hook:
		return false
	case !maps.Equal(found(a.Findings), found(b.Findings)):
		return false
	case a.Outcome.Refused():
		return sameManifest(before, after)
	case len(a.NotSent) != len(b.NotSent):
		return false
	}
	for i, n := range a.NotSent {
		if m := b.NotSent[i]; n.Field != m.Field || !reflect.DeepEqual(n.Manifest, m.Manifest) {
			return false
		}
	}
	return reflect.DeepEqual(timeless(a.Object), timeless(b.Object))
}

// sameManifest reports whether two manifests say the same, however they are written.
func sameManifest(a, b Written) bool {
	if bytes.Equal(a.Manifest, b.Manifest) {
		return true
	}
	one, err := decoded(a.Manifest)
	other, otherErr := decoded(b.Manifest)
	return err == nil && otherErr == nil && reflect.DeepEqual(one, other)
}

func decoded(text []byte) (tree any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	// Large whole numbers are not to be rounded.
	d.UseNumber()
	return tree, d.Decode(&tree)
}

// timeless is an object without the times of its managed fields entries; nil for none.
func timeless(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	entries, _ := metadata["managedFields"].([]any)
	if len(entries) == 0 {
		return object
	}
	list := make([]any, len(entries))
	for i, e := range entries {
		entry, is := e.(map[string]any)
		if !is {
			return object
		}
		entry = maps.Clone(entry)
		delete(entry, "time")
		list[i] = entry
	}
	object, metadata = maps.Clone(object), maps.Clone(metadata)
	metadata["managedFields"], object["metadata"] = list, metadata
	return object
}

// sameChange reports whether two changes of a field are the same one.
func sameChange(a, b report.Change) bool {
	return a.Kind == b.Kind && reflect.DeepEqual(a.Before, b.Before) && reflect.DeepEqual(a.After, b.After)
}
