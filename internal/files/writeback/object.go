package writeback

import (
	"fmt"
	"maps"
	"strings"

	"github.com/ssactl/ssactl/internal/document"
)

// normalise gives an object the types that document.Value gives.
func normalise(object map[string]any) (map[string]any, error) {
	value, err := document.Normal(object)
	if err != nil {
		return nil, fmt.Errorf("encode object: %w", err)
	}
	normal, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("encode object: %w", errNotObject)
	}
	return normal, nil
}

// sameObject reports whether two objects have the same group, kind, namespace
// and name. A namespace that one of them leaves out agrees with every other.
func sameObject(a, b map[string]any) bool {
	return group(a) == group(b) && text(a, "kind") == text(b, "kind") &&
		text(metadata(a), "name") == text(metadata(b), "name") &&
		(text(metadata(a), "namespace") == text(metadata(b), "namespace") ||
			text(metadata(a), "namespace") == "" || text(metadata(b), "namespace") == "")
}

func group(object map[string]any) string {
	group, _, found := strings.Cut(text(object, "apiVersion"), "/")
	if !found {
		return ""
	}
	return group
}

func metadata(object map[string]any) map[string]any {
	m, _ := object["metadata"].(map[string]any)
	return m
}

func namespaceOf(object map[string]any) string { return text(metadata(object), "namespace") }

func text(object map[string]any, key string) string {
	s, _ := object[key].(string)
	return s
}

// describe names an object in errors.
func describe(object map[string]any) string {
	name := text(metadata(object), "name")
	if namespace := text(metadata(object), "namespace"); namespace != "" {
		name = namespace + "/" + name
	}
	return strings.TrimSpace(text(object, "apiVersion") + " " + text(object, "kind") + " " + name)
}

// takes reports whether a List may hold an object: kind List takes everything,
// a typed list its own kind at its own API version.
func takes(list, object map[string]any) bool {
	if text(list, "kind") == "List" {
		return text(list, "apiVersion") == "v1"
	}
	return text(list, "kind") == text(object, "kind")+"List" &&
		text(list, "apiVersion") == text(object, "apiVersion")
}

// withoutImplied leaves out of an object what the item that it replaces
// leaves to its typed list to say: apiVersion and kind, as in the answers of
// the API server itself.
func withoutImplied(object map[string]any, current any, list typeMeta) map[string]any {
	there, ok := current.(map[string]any)
	kind, typed := strings.CutSuffix(list.kind, "List")
	if !ok || !typed || kind == "" {
		return object
	}
	object = maps.Clone(object)
	for key, implied := range map[string]string{"apiVersion": list.apiVersion, "kind": kind} {
		if _, said := there[key]; !said && object[key] == implied {
			delete(object, key)
		}
	}
	return object
}
