package impact

import (
	"reflect"
	"slices"
)

// OnlyAdds reports whether the spec of a definition is surely another one with no more than
// versions that are not stored, fields without defaults, columns and descriptions added: it then
// harms no live object. It takes a small part of the time of Examine, and most releases do no more.
func OnlyAdds(before, after any) bool {
	was, is := object(before), object(after)
	if was == nil || is == nil || was["preserveUnknownFields"] == true || !same(was, is, "versions") {
		return false
	}
	known, found := versionsIn(was), versionsIn(is)
	for name, version := range known {
		next := found[name]
		if next == nil || !same(version, next, "schema", "additionalPrinterColumns") ||
			!schemaAdds(schemaIn(version), schemaIn(next)) {
			return false
		}
	}
	for name, version := range found {
		if known[name] == nil && version["storage"] != false {
			return false
		}
	}
	return true
}

// ServesLess reports whether a version that the spec of a definition served is served no longer by
// another one.
func ServesLess(before, after any) bool {
	found := versionsIn(object(after))
	for name, version := range versionsIn(object(before)) {
		if version["served"] == true && found[name]["served"] != true {
			return true
		}
	}
	return false
}

func versionsIn(spec map[string]any) map[string]map[string]any {
	list, _ := spec["versions"].([]any)
	out := make(map[string]map[string]any, len(list))
	for _, item := range list {
		version := object(item)
		name, _ := version["name"].(string)
		out[name] = version
	}
	return out
}

func schemaIn(version map[string]any) map[string]any {
	return object(object(version["schema"])["openAPIV3Schema"])
}

// described are the keys of a schema that say something to readers alone.
var described = []string{"description", "title", "example", "externalDocs"}

// schemaAdds reports whether a schema is another one with fields added that it would have pruned.
func schemaAdds(was, is map[string]any) bool {
	if was == nil || is == nil {
		return was == nil && is == nil
	}
	if !same(was, is, append([]string{"properties", "items", "additionalProperties"}, described...)...) {
		return false
	}
	for _, key := range []string{"items", "additionalProperties"} {
		before, after := object(was[key]), object(is[key])
		if before != nil && after != nil {
			if !schemaAdds(before, after) {
				return false
			}
		} else if !reflect.DeepEqual(was[key], is[key]) {
			return false
		}
	}
	return fieldsAdd(was, is)
}

// fieldsAdd is schemaAdds for the fields of two schemas.
func fieldsAdd(was, is map[string]any) bool {
	before, after := object(was["properties"]), object(is["properties"])
	for name, field := range before {
		next, has := after[name]
		if !has || name == "metadata" && !reflect.DeepEqual(field, next) || !schemaAdds(object(field), object(next)) {
			return false
		}
	}
	for name, field := range after {
		if _, has := before[name]; !has && (keeps(was, name) || hasDefault(field)) {
			return false
		}
	}
	return true
}

// keeps reports whether values of a field that a schema does not declare may be stored: where it keeps
// unknown fields, and for those that each object has.
func keeps(schema map[string]any, field string) bool {
	return schema["x-kubernetes-preserve-unknown-fields"] == true ||
		slices.Contains([]string{"apiVersion", "kind", "metadata"}, field)
}

// hasDefault reports whether a schema, or one in it, may have a default.
func hasDefault(schema any) bool {
	switch schema := schema.(type) {
	case map[string]any:
		if _, has := schema["default"]; has {
			return true
		}
		for _, value := range schema {
			if hasDefault(value) {
				return true
			}
		}
	case []any:
		for _, value := range schema {
			if hasDefault(value) {
				return true
			}
		}
	}
	return false
}

// same reports whether two maps are equal but for some keys.
func same(a, b map[string]any, but ...string) bool {
	left := map[string]bool{}
	for _, key := range but {
		left[key] = true
	}
	for key, value := range a {
		other, has := b[key]
		if !left[key] && (!has || !reflect.DeepEqual(value, other)) {
			return false
		}
	}
	for key := range b {
		if _, has := a[key]; !left[key] && !has {
			return false
		}
	}
	return true
}

// object is a value that is a map; nil for any other.
func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}
