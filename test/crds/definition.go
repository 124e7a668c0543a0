package crds

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// object is a JSON object.
type object = map[string]any

// Make makes the definition of a number, whose YAML has about so many bytes.
// The kinds of different numbers differ, whatever the seed. All of them are
// namespaced, with a status, and accept an object without a spec.
func Make(seed, number uint64, bytes int) map[string]any {
	m := maker{random: rand.New(rand.NewPCG(seed, number))}
	kind := fmt.Sprintf("%s%s%d", title(m.word()), title(m.word()), number)
	group := m.word() + ".example.com"
	plural := strings.ToLower(kind) + "s"
	return object{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata": object{
			"name":        plural + "." + group,
			"annotations": object{"controller-gen.kubebuilder.io/version": "v0.17.2"},
		},
		"spec": object{
			"group": group,
			"names": object{"kind": kind, "listKind": kind + "List", "plural": plural, "singular": strings.ToLower(kind)},
			"scope": "Namespaced",
			"versions": []any{object{
				"name": "v1", "served": true, "storage": true,
				"subresources":             object{"status": object{}},
				"additionalPrinterColumns": printerColumns(),
				"schema":                   object{"openAPIV3Schema": m.root(kind, bytes)},
			}},
		},
	}
}

func printerColumns() []any {
	return []any{
		object{"name": "Ready", "type": "string", "jsonPath": `.status.conditions[?(@.type == "Ready")].status`},
		object{"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
	}
}

// root is the schema of a whole object.
func (m *maker) root(kind string, bytes int) object {
	return object{
		"type":        "object",
		"description": kind + " is the Schema for the " + strings.ToLower(kind) + "s API.",
		"properties": object{
			"apiVersion": object{"type": "string", "description": apiVersionText},
			"kind":       object{"type": "string", "description": kindText},
			"metadata":   object{"type": "object"},
			"spec":       m.object(bytes*9/10, place{depth: 5}),
			"status":     m.status(bytes / 10),
		},
	}
}

const apiVersionText = `APIVersion is the version of the schema that this object has.
A server changes schemas that it knows to its own version, and may
refuse those that it does not know.
More info: https://docs.example.com/conventions#versions`

const kindText = `Kind is what this object is on the wire. A server may find it by the address of a request: it cannot be changed, and is written in CamelCase. More info: https://docs.example.com/conventions#kinds`

// status has conditions, as that of nearly every kind.
func (m *maker) status(bytes int) object {
	status := m.object(bytes, place{depth: 5})
	condition := object{
		"type":     "object",
		"required": []any{"type", "status"},
		"properties": object{
			"type":               object{"type": "string", "maxLength": 316},
			"status":             object{"type": "string", "enum": []any{"True", "False", "Unknown"}},
			"message":            object{"type": "string", "description": m.description()},
			"lastTransitionTime": object{"type": "string", "format": "date-time"},
		},
	}
	status["properties"].(object)["conditions"] = object{
		"type": "array", "items": condition,
		"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []any{"type"},
	}
	return status
}
