package crds

import (
	"fmt"
	"math/rand/v2"
)

// maker makes one definition.
type maker struct{ random *rand.Rand }

func (m *maker) percent(share int) bool { return m.random.IntN(100) < share }

// place is where a schema stands.
type place struct {
	depth int
	// repeated is true within lists and maps.
	repeated bool
}

// below is the place of a value in here.
func (p place) below(repeated bool) place {
	return place{depth: p.depth + 2, repeated: p.repeated || repeated}
}

// maxDepth is how deep schemas nest: a container in a Pod's template in a list.
const maxDepth = 24

// object makes the schema of an object whose YAML has about so many bytes.
func (m *maker) object(bytes int, at place) object {
	properties, names := object{}, []any{}
	for bytes > 0 {
		name := m.word() + title(m.word())
		if properties[name] != nil {
			name = fmt.Sprintf("%s%d", name, len(properties))
		}
		share := bytes/4 + m.random.IntN(bytes/2+1)
		property, size := m.property(share, at.below(false))
		properties[name] = property
		names = append(names, name)
		bytes -= size
	}
	schema := object{"type": "object", "properties": properties}
	if len(names) > 1 && m.percent(30) {
		schema["required"] = names[:1]
	}
	if len(names) > 1 && !at.repeated && m.percent(10) {
		schema["x-kubernetes-validations"] = []any{object{
			"rule":    fmt.Sprintf("has(self.%s) || has(self.%s)", names[0], names[1]),
			"message": fmt.Sprintf("one of %s and %s has to be set: neither was", names[0], names[1]),
		}}
	}
	return schema
}

// property makes a schema with a description, and gives the size of its YAML.
func (m *maker) property(bytes int, at place) (schema object, size int) {
	var inner int
	switch {
	case bytes < 900 || at.depth >= maxDepth:
		schema = m.leaf()
	case m.percent(35):
		inner = bytes * 9 / 10
		schema = m.list(m.object(inner, at.below(true)))
	case m.percent(10):
		inner = bytes * 9 / 10
		schema = object{"type": "object", "additionalProperties": m.object(inner, at.below(true))}
	default:
		inner = bytes * 9 / 10
		schema = m.object(inner, at)
	}
	text := ""
	if m.percent(95) {
		text = m.description()
		schema["description"] = text
	}
	// A schema has some six lines around its description, of a hundred characters
	// beside their indentation.
	lines := 6 + len(text)/60
	return schema, inner + len(text) + lines*2*at.depth + 100
}

// list makes a list of objects: a list map where the items have a key.
func (m *maker) list(items object) object {
	list := object{"type": "array", "items": items}
	required, _ := items["required"].([]any)
	if len(required) == 0 {
		if m.percent(50) {
			list["x-kubernetes-list-type"] = "atomic"
		}
		return list
	}
	key := items["properties"].(object)[required[0].(string)].(object)
	if key["type"] == "string" && key["default"] == nil {
		list["x-kubernetes-list-type"] = "map"
		list["x-kubernetes-list-map-keys"] = required
	}
	return list
}

// leaf makes the schema of a scalar, or of a collection of them.
func (m *maker) leaf() object {
	switch m.random.IntN(12) {
	case 0:
		return object{"type": "integer", "format": "int32"}
	case 1:
		return object{"type": "integer", "format": "int64", "minimum": 0, "maximum": 65535}
	case 2:
		return object{"type": "boolean"}
	case 3:
		return object{"type": "boolean", "default": true}
	case 4:
		return object{"type": "string", "enum": []any{title(m.word()), "Always", "Never", ""}}
	case 5:
		return object{
			"type":      "string",
			"maxLength": 63,
			"minLength": 1,
			"pattern":   `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`,
		}
	case 6:
		return object{"type": "array", "items": object{"type": "string"}}
	case 7:
		return object{"type": "object", "additionalProperties": object{"type": "string"}}
	case 8:
		return object{
			"anyOf":                      []any{object{"type": "integer"}, object{"type": "string"}},
			"pattern":                    `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?[0-9]+))?$`,
			"x-kubernetes-int-or-string": true,
		}
	case 9:
		return object{"type": "object", "x-kubernetes-preserve-unknown-fields": true}
	}
	return object{"type": "string"}
}
