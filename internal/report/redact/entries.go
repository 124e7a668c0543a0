package redact

import (
	"encoding/json"
	"strings"
)

// unseen stands for what is hidden without a number.
const unseen = "***"

// entriesWithoutValues hides what managed fields entries of a Secret quote,
// which those of a server never do: values and keys of list items, names below
// the keys of data, and what is no fieldsV1 at all. What a server could not
// read stays unreadable.
func entriesWithoutValues(v any) any {
	entries, ok := v.([]any)
	if !ok {
		return hidden(v)
	}
	out := make([]any, len(entries))
	for i, entry := range entries {
		e, ok := entry.(map[string]any)
		if !ok {
			out[i] = hidden(entry)
			continue
		}
		if fields, ok := e["fieldsV1"]; ok {
			e = shallow(e)
			e["fieldsV1"] = claimsWithoutValues(fields)
		}
		out[i] = e
	}
	return out
}

// claimsWithoutValues leaves the claims on metadata as they are, and of others
// the names of the field and of its keys.
func claimsWithoutValues(v any) any {
	fields, ok := v.(map[string]any)
	if !ok {
		return hidden(v)
	}
	out := make(map[string]any, len(fields))
	for element, below := range fields {
		switch {
		case element == "f:metadata":
			out[element] = below
		case strings.HasPrefix(element, "f:"):
			out[element] = elements(below, keysOfData)
		default:
			out[nameless(element)] = elements(below, nothing)
		}
	}
	return out
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

// hidden is a value of about the same type that tells nothing.
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
