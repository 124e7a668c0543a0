package ssatest

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// paths are the fields of a managed fields entry, sorted, as the API server writes them in
// conflicts: .spec.containers[name="web"].image.
func paths(fieldsV1 []byte) ([]string, error) {
	var tree map[string]any
	if len(fieldsV1) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(fieldsV1, &tree); err != nil {
		return nil, fmt.Errorf("fieldsV1: %w", err)
	}
	out, err := within("", tree)
	sort.Strings(out)
	return slices.Compact(out), err
}

// within are the paths below one; a leaf, or a dot, is the path itself.
func within(path string, tree map[string]any) ([]string, error) {
	if len(tree) == 0 {
		return []string{path}, nil
	}
	var out []string
	for key, value := range tree {
		if key == "." {
			out = append(out, path)
			continue
		}
		element, err := elementOf(key)
		if err != nil {
			return nil, err
		}
		below, _ := value.(map[string]any)
		paths, err := within(path+element, below)
		if err != nil {
			return nil, err
		}
		out = append(out, paths...)
	}
	return out, nil
}

// elementOf is an element of a path: f:NAME is a field, k:{…} the keys of a list item, v:VALUE the
// item of a set, i:N an index (structured-merge-diff, fieldpath/serialize-pe.go).
func elementOf(key string) (string, error) {
	kind, text, _ := strings.Cut(key, ":")
	switch kind {
	case "f":
		return "." + text, nil
	case "v":
		return "[=" + text + "]", nil
	case "i":
		return "[" + text + "]", nil
	case "k":
		var keys map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &keys); err != nil {
			return "", fmt.Errorf("fieldsV1: %q: %w", key, err)
		}
		var parts []string
		for name, value := range keys {
			parts = append(parts, name+"="+string(value))
		}
		sort.Strings(parts)
		return "[" + strings.Join(parts, ",") + "]", nil
	}
	return "", fmt.Errorf("fieldsV1: %q is no element of a path", key)
}

// ownedBy are the fields that a manager owns, by all of its entries, sorted.
func (o object) ownedBy(manager string) ([]string, error) {
	var out []string
	for _, e := range o.Metadata.ManagedFields {
		if e.Manager != manager {
			continue
		}
		fields, err := paths(e.FieldsV1)
		if err != nil {
			return nil, err
		}
		out = append(out, fields...)
	}
	sort.Strings(out)
	return slices.Compact(out), nil
}

// owners are the managers that own a field, or something in it, sorted.
func (o object) owners(field string) ([]string, error) {
	var out []string
	for _, e := range o.Metadata.ManagedFields {
		fields, err := paths(e.FieldsV1)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(fields, func(f string) bool { return isIn(f, field) }) {
			out = append(out, e.Manager)
		}
	}
	sort.Strings(out)
	return slices.Compact(out), nil
}

// isIn reports whether a field is another one, or in it.
func isIn(field, of string) bool {
	rest, ok := strings.CutPrefix(field, of)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
