package redact

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// entries hides what managed fields entries of a Secret quote: values and keys of list
// items, names below the keys of data, and malformed fieldsV1, which stays malformed.
func (p pass) entries(v any) any {
	list, ok := v.([]any)
	if !ok {
		p.leaves(v)
		return hidden(v)
	}
	return items(list, func(item any) any {
		entry, ok := item.(map[string]any)
		if !ok {
			p.leaves(item)
			return hidden(item)
		}
		return each(entry, p.ofEntry)
	})
}

// ofEntry shows who wrote what when.
func (p pass) ofEntry(key string, v any) any {
	switch s, isText := v.(string); {
	case key == "fieldsV1":
		p.quoted(v)
		return claims(v, nil)
	case key == "manager" && isText:
		p.m.publish(s)
		return v
	case isText && (key == "operation" || key == "apiVersion" || key == "time" ||
		key == "fieldsType" || key == "subresource"):
		return v
	}
	p.leaves(v)
	return hidden(v)
}

func (p pass) belowEntries(path string, v any) any {
	if strings.Contains(path, "fieldsV1") {
		return p.ofEntry("fieldsV1", v)
	}
	if entry, ok := v.(map[string]any); ok {
		return each(entry, p.ofEntry)
	}
	return p.ofEntry(path[strings.LastIndexByte(path, '.')+1:], v)
}

// quoted learns the values that a fieldsV1 has in it.
func (p pass) quoted(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, element := range slices.Sorted(maps.Keys(v)) {
			if kind, rest, ok := strings.Cut(element, ":"); ok && (kind == "v" || kind == "k") {
				p.element(rest)
			}
			p.quoted(v[element])
		}
	case nil:
	default:
		p.leaves(v)
	}
}

// element learns the value of an element of a set, unless it is shown.
func (p pass) element(text string) {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		v = text
	}
	if s, ok := v.(string); ok && isFinalizer(s) {
		return
	}
	if key, ok := v.(map[string]any); ok && len(key) == 1 && key["uid"] != nil {
		return
	}
	p.leaves(v)
}

// claims leaves of a fieldsV1, or of what stands in it at a path of elements, the names of
// the top fields and of the keys below them, of metadata all names.
func claims(v any, at []string) any {
	fields, ok := v.(map[string]any)
	if !ok {
		return hidden(v)
	}
	out := make(map[string]any, len(fields))
	for element, below := range fields {
		shown := element
		if !isShown(element, at) {
			shown = nameless(element)
		}
		out[shown] = claims(below, append(at[:len(at):len(at)], element))
	}
	return out
}

// isShown reports whether an element of a fieldsV1 is a name that is shown. Of values
// finalizers are, and the uids of owners.
func isShown(element string, at []string) bool {
	kind, rest, _ := strings.Cut(element, ":")
	switch ofMetadata := len(at) > 0 && at[0] == "f:metadata"; {
	case kind == "f":
		return ofMetadata || len(at) == 0 || len(at) == 1 && strings.HasPrefix(at[0], "f:")
	case !ofMetadata || len(at) != 2:
		return false
	case kind == "v":
		var s string
		return json.Unmarshal([]byte(rest), &s) == nil && isFinalizer(s)
	}
	var key map[string]string
	return kind == "k" && json.Unmarshal([]byte(rest), &key) == nil && len(key) == 1 && key["uid"] != ""
}

// nameless is a path element of the same kind without what it names.
func nameless(element string) string {
	kind, rest, ok := strings.Cut(element, ":")
	switch {
	case element == ".":
		return element
	case !ok || len(kind) != 1:
		return unseen
	case kind == "v" && json.Valid([]byte(rest)):
		return `v:"***"`
	case kind == "k" && json.Valid([]byte(rest)):
		return `k:{"***":"***"}`
	}
	return kind + ":" + unseen
}

// hidden is a placeholder of about the same type.
func hidden(v any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case map[string]any:
		if len(v) == 0 {
			return v
		}
	case []any:
		if len(v) == 0 {
			return v
		}
		return []any{unseen}
	}
	return unseen
}
