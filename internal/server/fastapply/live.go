package fastapply

import (
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/ssactl/ssactl/internal/server"
)

// bare is an object without its managed fields entries.
func bare(object map[string]any) map[string]any {
	object = maps.Clone(object)
	metadata := maps.Clone(object["metadata"].(map[string]any))
	delete(metadata, "managedFields")
	object["metadata"] = metadata
	return object
}

// internal is an object in its internal form, with entries, and what it is made of: a tree
// without any.
func (a *apply) internal(tree map[string]any, entries []metav1.ManagedFieldsEntry, beside server.Form) (server.Form, runtime.Object, error) {
	form, err := a.endpoint.Read(tree, beside)
	if err != nil {
		return form, nil, err
	}
	object, err := a.endpoint.Internal(&form)
	if err != nil {
		return form, nil, err
	}
	return form, object, setEntries(object, entries)
}

func setEntries(object runtime.Object, entries []metav1.ManagedFieldsEntry) error {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	accessor.SetManagedFields(entries)
	return nil
}

// liveEntries are the managed fields entries of the live object, without what they own.
func (a *apply) liveEntries() ([]metav1.ManagedFieldsEntry, bool) {
	metadata, _ := a.live["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	if len(list) == 0 || len(list) > maxEntries {
		return nil, false
	}
	if len(a.owned) != len(list) {
		// Not each entry owns something, or others have a key of that name.
		return nil, false
	}
	entries := make([]metav1.ManagedFieldsEntry, len(list))
	for i, item := range list {
		var ok bool
		if entries[i], ok = entryOf(item); !ok {
			return nil, false
		}
	}
	return entries, true
}

// entryOf reads an entry that owns something, without that; false for what would be stored
// as anything but what it says.
func entryOf(item any) (metav1.ManagedFieldsEntry, bool) {
	var entry metav1.ManagedFieldsEntry
	attributes, _ := item.(map[string]any)
	owns := false
	for key, value := range attributes {
		text, ok := value.(string)
		ok = ok && text != ""
		switch key {
		case "fieldsV1":
			_, ok = value.(map[string]any)
			owns = true
		case "manager":
			entry.Manager = text
		case "operation":
			entry.Operation = metav1.ManagedFieldsOperationType(text)
		case "apiVersion":
			entry.APIVersion = text
		case "fieldsType":
			entry.FieldsType = text
		case "subresource":
			entry.Subresource = text
		case "time":
			at, err := time.Parse(time.RFC3339, text)
			entry.Time, ok = &metav1.Time{Time: at.Local()}, err == nil && at.UTC().Format(time.RFC3339) == text
		default:
			return entry, false
		}
		if !ok {
			return entry, false
		}
	}
	return entry, owns
}
