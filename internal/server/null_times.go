package server

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// Before 1.34, servers wrote the creationTimestamp of metadata inside of
// objects (of a pod template, for one) as null, where it is left out now
// (apimachinery v0.34.0 tags it omitzero). It is part of the object that they
// answer, and of managed fields entries.

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"

// writesNullTimes reports whether a release does so.
func (r release) writesNullTimes() bool { return r.Minor < 34 }

// addNullTimes puts them into an object of a type.
func addNullTimes(t typed.ParseableType, object map[string]any) {
	n := nullTimes{t.Schema}
	atom, ok := t.Schema.Resolve(t.TypeRef)
	if !ok || atom.Map == nil {
		return
	}
	for key, value := range object {
		// The object's own metadata always has a time when it is stored.
		if key != "metadata" {
			n.add(fieldType(atom.Map, key), value)
		}
	}
}

type nullTimes struct{ schema *smd.Schema }

func (n nullTimes) add(ref smd.TypeRef, value any) {
	atom, ok := n.schema.Resolve(ref)
	if !ok {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		if atom.Map == nil {
			return
		}
		for key, child := range value {
			n.add(fieldType(atom.Map, key), child)
		}
		if _, found := value["creationTimestamp"]; !found && ref.NamedType != nil && *ref.NamedType == objectMeta {
			value["creationTimestamp"] = nil
		}
	case []any:
		if atom.List == nil {
			return
		}
		for _, item := range value {
			n.add(atom.List.ElementType, item)
		}
	}
}

func fieldType(m *smd.Map, key string) smd.TypeRef {
	if field, ok := m.FindField(key); ok {
		return field.Type
	}
	return m.ElementType
}

// withNullTimes puts them into a JSON answer, if it is an object of the kind.
func (c *typeConverter) withNullTimes(raw []byte, kind schema.GroupVersionKind) ([]byte, error) {
	t, ok := c.find(kind)
	if !c.nullTimes || !ok || len(raw) == 0 {
		return raw, nil
	}
	object := map[string]any{}
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	apiVersion, name := kind.ToAPIVersionAndKind()
	if object["apiVersion"] != apiVersion || object["kind"] != name {
		return raw, nil
	}
	addNullTimes(t, object)
	return json.Marshal(object)
}
