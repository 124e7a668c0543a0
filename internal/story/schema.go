package story

import (
	"reflect"
	"slices"
)

// Schema is the JSON Schema of a story, for editors: made of the same types that stories are
// read into.
func Schema() map[string]any {
	s := schemaOf(reflect.TypeFor[Story]())
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "A story of writes to Kubernetes objects, with expectations (ssactl test)"
	properties, _ := s["properties"].(map[string]any)
	properties["apiVersion"] = map[string]any{"const": APIVersion}
	properties["kind"] = map[string]any{"const": Kind}
	return s
}

var enums = map[string][]string{
	"outcome": {"Created", "Configured", "Unchanged", "Conflicted", "Invalid", "Failed"},
	"settles": {"FixedPoint", "Cycle", "Unknown"}, "type": {"strategic", "merge", "json"},
	"validate": {"strict", "warn", "ignore"},
}

func schemaOf(t reflect.Type) map[string]any {
	switch t {
	case bodyType:
		return map[string]any{"type": []string{"string", "object"}}
	case textType:
		return map[string]any{"type": []string{"string", "boolean", "number"}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Slice:
		one := schemaOf(t.Elem())
		return map[string]any{"anyOf": []any{map[string]any{"type": "array", "items": one}, one}}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Struct:
		return objectSchema(t)
	}
	return map[string]any{}
}

func objectSchema(t reflect.Type) map[string]any {
	properties, required, verbs := map[string]any{}, []string{}, []any{}
	for _, k := range keysOf(t) {
		one := schemaOf(k.Type)
		one["description"] = k.Doc
		if values := enums[k.Name]; values != nil && one["type"] == "string" {
			one["enum"] = values
		}
		properties[k.Name] = one
		if k.Required {
			required = append(required, k.Name)
		}
		if k.Verb {
			verbs = append(verbs, map[string]any{"required": []string{k.Name}})
		}
	}
	slices.Sort(required)
	out := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	if len(verbs) > 0 {
		out["oneOf"] = verbs
	}
	return out
}
