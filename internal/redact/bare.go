package redact

import "strings"

// Objects masks bare objects, numbered through all that it is given. It is not
// safe for concurrent use.
type Objects struct{ masks *masks }

// NewObjects starts the numbering.
func NewObjects() *Objects { return &Objects{masks: newMasks()} }

// Mask gives a Secret, or a list that holds some, with its values masked, and
// anything else as it is. The given object is not changed. Values that its
// managed fields entries quote, which those of a server never do, are masked
// too.
func (o *Objects) Mask(object map[string]any) map[string]any {
	masked := o.masks.object(object)
	if !isSecret(object) {
		return masked
	}
	metadata, ok := masked["metadata"].(map[string]any)
	if !ok {
		return masked
	}
	entries, ok := metadata["managedFields"].([]any)
	if !ok {
		return masked
	}
	metadata = shallow(metadata)
	metadata["managedFields"] = claimsWithoutValues(entries)
	masked["metadata"] = metadata
	return masked
}

// claimsWithoutValues hides values and keys of list items below the data.
func claimsWithoutValues(entries []any) []any {
	out := make([]any, len(entries))
	for i, entry := range entries {
		out[i] = entry
		e, ok := entry.(map[string]any)
		if !ok {
			continue
		}
		fields, ok := e["fieldsV1"].(map[string]any)
		if !ok {
			continue
		}
		fields = shallow(fields)
		for _, key := range []string{"f:data", "f:stringData"} {
			if v, ok := fields[key]; ok {
				fields[key] = withoutItems(v)
			}
		}
		e = shallow(e)
		e["fieldsV1"] = fields
		out[i] = e
	}
	return out
}

func withoutItems(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := make(map[string]any, len(m))
	for k, item := range m {
		switch {
		case strings.HasPrefix(k, "v:"):
			k = `v:"***"`
		case strings.HasPrefix(k, "k:"):
			k = `k:{"***":"***"}`
		}
		out[k] = withoutItems(item)
	}
	return out
}
