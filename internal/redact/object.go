package redact

import (
	"encoding/json"
	"strings"
)

// lastApplied is where kubectl keeps a copy of the whole manifest.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// object masks a Secret, or the Secrets in a list; anything else is given
// back as it is.
func (m *masks) object(object map[string]any) map[string]any {
	switch {
	case object == nil:
		return nil
	case isSecret(object):
		return m.secret(object)
	case isList(object):
		items, _ := object["items"].([]any)
		out := shallow(object)
		masked := make([]any, len(items))
		for i, item := range items {
			masked[i] = item
			if o, ok := item.(map[string]any); ok {
				masked[i] = m.item(o, object["kind"] == "SecretList")
			}
		}
		if _, ok := object["items"]; ok {
			out["items"] = masked
		}
		return out
	}
	return object
}

// item masks an item of a list; those of a SecretList need not say their kind.
func (m *masks) item(object map[string]any, secret bool) map[string]any {
	if secret {
		return m.secret(object)
	}
	return m.object(object)
}

func (m *masks) secret(object map[string]any) map[string]any {
	out := shallow(object)
	for _, key := range []string{"data", "stringData"} {
		if v, ok := object[key]; ok {
			out[key] = m.field("."+key, v)
		}
	}
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return out
	}
	annotations, ok := metadata["annotations"].(map[string]any)
	if !ok {
		return out
	}
	if v, ok := annotations[lastApplied]; ok {
		annotations, metadata = shallow(annotations), shallow(metadata)
		annotations[lastApplied] = m.annotation(v)
		metadata["annotations"], out["metadata"] = annotations, metadata
	}
	return out
}

// annotation masks the values inside a last-applied annotation; one that is
// no object in JSON is masked whole.
func (m *masks) annotation(v any) any {
	s, ok := v.(string)
	if !ok {
		return m.plain(v)
	}
	var object map[string]any
	if err := json.Unmarshal([]byte(s), &object); err != nil || object == nil {
		return m.of(s)
	}
	b, err := json.Marshal(m.secret(object))
	if err != nil {
		return m.of(s)
	}
	if strings.HasSuffix(s, "\n") {
		b = append(b, '\n')
	}
	return string(b)
}

// field masks the value of a field path of a Secret; other fields stay.
func (m *masks) field(path string, v any) any {
	if v == nil {
		return nil
	}
	switch {
	case path == "" || path == ".":
		if o, ok := v.(map[string]any); ok {
			return m.secret(o)
		}
	case path == ".data" || path == ".stringData":
		return m.values(v, path == ".data")
	case strings.HasPrefix(path, ".data"):
		return m.data(v)
	case strings.HasPrefix(path, ".stringData"):
		return m.plain(v)
	case strings.HasPrefix(path, ".metadata.annotations") && strings.Contains(path, lastApplied):
		return m.annotation(v)
	case path == ".metadata.annotations" || path == ".metadata":
		return m.under(path, v)
	}
	return v
}

// under masks the annotation inside a value that holds it.
func (m *masks) under(path string, v any) any {
	if path == ".metadata.annotations" {
		v = map[string]any{"annotations": v}
	}
	masked, _ := m.secret(map[string]any{"metadata": v})["metadata"].(map[string]any)
	if path == ".metadata.annotations" {
		return masked["annotations"]
	}
	if masked == nil {
		return v
	}
	return masked
}

// values masks each value of data or stringData under its visible key.
func (m *masks) values(v any, encoded bool) any {
	object, ok := v.(map[string]any)
	if !ok {
		return m.plain(v)
	}
	out := make(map[string]any, len(object))
	for _, k := range sortedKeys(object) {
		if encoded {
			out[k] = m.data(object[k])
		} else {
			out[k] = m.plain(object[k])
		}
	}
	return out
}

func secretField(path string) bool {
	return strings.HasPrefix(path, ".data") || strings.HasPrefix(path, ".stringData")
}

func shallow(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}
