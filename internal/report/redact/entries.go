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
	return p.items(list, func(item any) any {
		entry, ok := item.(map[string]any)
		if !ok {
			p.leaves(item)
			return hidden(item)
		}
		return p.each(entry, p.ofEntry)
	})
}

// ofEntry shows who wrote what when.
func (p pass) ofEntry(key string, v any) any {
	switch s, isText := v.(string); {
	case key == "fieldsV1":
		p.quoted(v)
		return claims(v)
	case key == "manager" && isText:
		p.m.publish(s)
		return v
	case isText && (key == "operation" || key == "apiVersion" || key == "time" || key == "fieldsType" || key == "subresource"):
		return v
	}
	p.leaves(v)
	return hidden(v)
}

func (p pass) belowEntries(path string, v any) any {
	entry, ok := v.(map[string]any)
	switch {
	case strings.Contains(path, "fieldsV1"):
		p.quoted(v)
		return claims(v)
	case ok:
		return p.each(entry, p.ofEntry)
	}
	return p.ofEntry(path[strings.LastIndexByte(path, '.')+1:], v)
}

// quoted learns the values that a fieldsV1 has in it.
func (p pass) quoted(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, element := range slices.Sorted(maps.Keys(v)) {
			if rest, ok := strings.CutPrefix(element, "v:"); ok {
				p.element(rest)
			} else if rest, ok := strings.CutPrefix(element, "k:"); ok {
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

// claims leaves of the claims on metadata and on the top the names of the
// fields and of their keys.
func claims(v any) any {
	fields, ok := v.(map[string]any)
	if !ok {
		return hidden(v)
	}
	out := make(map[string]any, len(fields))
	for element, below := range fields {
		switch {
		case element == "f:metadata":
			out[element] = metadataClaims(below, 0)
		case strings.HasPrefix(element, "f:"):
			out[element] = elements(below, keysOfData)
		default:
			out[nameless(element)] = elements(below, nothing)
		}
	}
	return out
}

// metadataClaims shows names and keys, and of values finalizers and the uids of owners.
func metadataClaims(v any, depth int) any {
	fields, ok := v.(map[string]any)
	if !ok {
		return hidden(v)
	}
	out := make(map[string]any, len(fields))
	for element, below := range fields {
		if !shownInMetadata(element, depth) {
			element = nameless(element)
		}
		out[element] = metadataClaims(below, depth+1)
	}
	return out
}

func shownInMetadata(element string, depth int) bool {
	kind, rest, _ := strings.Cut(element, ":")
	switch kind {
	case "f", ".":
		return true
	case "v":
		var s string
		return depth == 1 && json.Unmarshal([]byte(rest), &s) == nil && isFinalizer(s)
	case "k":
		var key map[string]string
		return depth == 1 && json.Unmarshal([]byte(rest), &key) == nil && len(key) == 1 && key["uid"] != ""
	}
	return false
}

// names says which names of fields are shown.
type names int

const (
	// keysOfData: those of the next level.
	keysOfData names = iota
	nothing
)

func elements(v any, shown names) any {
	fields, ok := v.(map[string]any)
	if !ok {
		return hidden(v)
	}
	out := make(map[string]any, len(fields))
	for element, below := range fields {
		if shown == nothing || !strings.HasPrefix(element, "f:") {
			element = nameless(element)
		}
		out[element] = elements(below, nothing)
	}
	return out
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
