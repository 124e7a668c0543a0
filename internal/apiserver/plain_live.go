package apiserver

import (
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// internal makes the internal form of an object from its tree, with defaults
// and without managed fields. A tree that is a stored object's gives what
// decoding its text gives.
func (e *endpoint) internal(tree map[string]any) (runtime.Object, error) {
	content := maps.Clone(tree)
	metadata := maps.Clone(content["metadata"].(map[string]any))
	delete(metadata, "managedFields")
	content["metadata"] = metadata
	versioned, err := e.scope.UnsafeConvertor.ConvertToVersion(&unstructured.Unstructured{Object: content}, e.scope.Kind.GroupVersion())
	if err != nil {
		return nil, err
	}
	e.scope.Defaulter.Default(versioned)
	return e.scope.UnsafeConvertor.ConvertToVersion(versioned, e.scope.HubGroupVersion)
}

// decode is the live object in its internal form. Whether it is all of what the
// caller gave shows when it is encoded again.
func (p *plainApply) decode(e *endpoint) (runtime.Object, error) {
	entries, ok := p.liveEntries()
	if !ok {
		return nil, errNotPlain
	}
	obj, err := e.internal(p.live)
	if err != nil {
		return nil, err
	}
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return nil, err
	}
	accessor.SetManagedFields(entries)
	return obj, nil
}

// liveEntries are the managed fields entries of the live object, what they own
// as it is written.
func (p *plainApply) liveEntries() ([]metav1.ManagedFieldsEntry, bool) {
	metadata, _ := p.live["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	texts, ok := jsontree.Texts(p.call.Live, "metadata", "managedFields", "*", "fieldsV1")
	if !ok || len(texts) != len(list) {
		return nil, false
	}
	entries := make([]metav1.ManagedFieldsEntry, len(list))
	for i, item := range list {
		if entries[i], ok = entryOf(item, texts[i]); !ok {
			return nil, false
		}
	}
	return entries, true
}

// entryOf reads an entry; false for what is out of the ordinary.
func entryOf(item any, fields []byte) (metav1.ManagedFieldsEntry, bool) {
	entry := metav1.ManagedFieldsEntry{FieldsV1: metav1.NewFieldsV1(string(fields))}
	attributes, _ := item.(map[string]any)
	for key, value := range attributes {
		text, ok := value.(string)
		switch {
		case key == "fieldsV1":
			_, ok = value.(map[string]any)
		case key == "manager":
			entry.Manager = text
		case key == "operation":
			entry.Operation = metav1.ManagedFieldsOperationType(text)
		case key == "apiVersion":
			entry.APIVersion = text
		case key == "fieldsType":
			entry.FieldsType = text
		case key == "subresource":
			entry.Subresource = text
		case key == "time":
			at, err := time.Parse(time.RFC3339, text)
			entry.Time, ok = &metav1.Time{Time: at.Local()}, err == nil
		default:
			return entry, false
		}
		if !ok {
			return entry, false
		}
	}
	return entry, true
}
