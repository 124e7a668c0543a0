package faithful

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// A later release may write a field of a kind where it is empty, as Go writes a struct that
// is no pointer (the status of a CSINode, since 1.37). An older one does not write it, and
// its merge schema has no place for it.

// LaterFields are those at the root of a kind that came after the release, so far as types
// say it.
func (c *TypeConverter) LaterFields(kind schema.GroupVersionKind) []string {
	if c.latest == nil {
		return nil
	}
	own, known := c.Find(kind)
	latest, ok := c.latest.Type(kind)
	if !known || !ok {
		return nil
	}
	declared := map[string]bool{}
	for _, name := range rootFields(own) {
		declared[name] = true
	}
	var later []string
	for _, name := range rootFields(latest) {
		if !declared[name] {
			later = append(later, name)
		}
	}
	return later
}

func rootFields(t typed.ParseableType) []string {
	atom, ok := t.Schema.Resolve(t.TypeRef)
	if !ok || atom.Map == nil {
		return nil
	}
	var names []string
	for _, field := range atom.Map.Fields {
		names = append(names, field.Name)
	}
	return names
}

// dropEmpty takes those of the fields out of an object that are empty, and reports whether
// there are any.
func dropEmpty(object map[string]any, fields []string) (dropped bool) {
	for _, name := range fields {
		if value, ok := object[name].(map[string]any); ok && len(value) == 0 {
			delete(object, name)
			dropped = true
		}
	}
	return dropped
}

// WithoutLater is a JSON answer without them, if it is an object of the kind.
func (c *TypeConverter) WithoutLater(raw []byte, kind schema.GroupVersionKind) ([]byte, error) {
	later := c.LaterFields(kind)
	if later == nil || len(raw) == 0 {
		return raw, nil
	}
	object := map[string]any{}
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	apiVersion, name := kind.ToAPIVersionAndKind()
	if object["apiVersion"] != apiVersion || object["kind"] != name || !dropEmpty(object, later) {
		return raw, nil
	}
	return json.Marshal(object)
}
