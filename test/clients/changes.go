package main

import (
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// change maps dotted field paths to their new values; nil removes a field.
type change map[string]any

// edit is a patch by a manager.
type edit struct {
	manager, media, subresource, body string
}

const (
	merge     = "application/merge-patch+json"
	strategic = "application/strategic-merge-patch+json"
	jsonPatch = "application/json-patch+json"
	apply     = "application/apply-patch+yaml"
)

// parsed is a manifest as a map.
func parsed(text string) map[string]any {
	var object map[string]any
	if err := yaml.Unmarshal([]byte(text), &object); err != nil {
		panic(err)
	}
	return object
}

// changed is a copy of an object with a change; fields that are not there stay so.
func changed(object map[string]any, c change) map[string]any {
	out := runtime.DeepCopyJSON(object)
	for path, value := range c {
		steps := strings.Split(path, "/")
		for i := range steps {
			steps[i] = strings.ReplaceAll(steps[i], "~1", "/")
		}
		set(out, steps, value)
	}
	return out
}

// set sets what is at a path, or removes it, and gives the value.
func set(at any, path []string, value any) any {
	switch v := at.(type) {
	case map[string]any:
		switch next, has := v[path[0]]; {
		case len(path) == 1 && value == nil:
			delete(v, path[0])
		case len(path) == 1:
			v[path[0]] = copied(value)
		case has:
			v[path[0]] = set(next, path[1:], value)
		case value != nil && !isIndex(path[1]):
			v[path[0]] = set(map[string]any{}, path[1:], value)
		}
	case []any:
		return setItem(v, path, value)
	}
	return at
}

// setItem sets what is at a path that begins with the index of an item, or removes it, and
// gives the list.
func setItem(list []any, path []string, value any) []any {
	i, err := strconv.Atoi(path[0])
	switch {
	case err != nil || i > len(list):
	case i == len(list) && value != nil && len(path) == 1:
		return append(list, copied(value))
	case i == len(list):
	case len(path) > 1:
		list[i] = set(list[i], path[1:], value)
	case value == nil:
		return append(list[:i:i], list[i+1:]...)
	default:
		list[i] = copied(value)
	}
	return list
}

func isIndex(step string) bool {
	_, err := strconv.Atoi(step)
	return err == nil
}

// null is a field that the manifest has as null.
type null struct{}

func copied(value any) any {
	switch v := value.(type) {
	case null:
		return nil
	case string:
		if strings.HasPrefix(v, "{") || strings.HasPrefix(v, "[") {
			var out any
			if err := yaml.Unmarshal([]byte(v), &out); err != nil {
				panic(fmt.Sprint(v, err))
			}
			return out
		}
	case int:
		return int64(v)
	}
	return value
}
