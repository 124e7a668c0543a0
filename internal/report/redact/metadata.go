package redact

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// ofMetadata masks the value of a field of metadata: copies of values in annotations and
// managed fields entries, and what no metadata has.
func (p pass) ofMetadata(key string, v any) any {
	switch key {
	case "name", "namespace", "generateName":
		if name, ok := v.(string); ok {
			p.m.publish(name)
			return v
		}
	case "uid",
		"resourceVersion", "selfLink", "creationTimestamp", "deletionTimestamp", "generation",
		"deletionGracePeriodSeconds":
		return p.scalar(v)
	case "ownerReferences":
		if owners, ok := v.([]any); ok {
			return items(owners, p.owner)
		}
	case "finalizers":
		if list, ok := v.([]any); ok {
			return items(list, p.finalizer)
		}
	case "labels":
		if labels, ok := v.(map[string]any); ok {
			return each(labels, func(_ string, v any) any { return p.label(v) })
		}
	case "annotations":
		if annotations, ok := v.(map[string]any); ok {
			return each(annotations, p.annotation)
		}
	case "managedFields":
		return p.entries(v)
	}
	return p.plain(v)
}

// scalar shows what a server assigns, unless it is of a wrong type or repeats a value.
func (p pass) scalar(v any) any {
	switch v := v.(type) {
	case map[string]any, []any:
		return p.plain(v)
	case string:
		return p.text(v)
	}
	return v
}

// owner shows what an owner reference has.
func (p pass) owner(v any) any {
	reference, ok := v.(map[string]any)
	if !ok {
		return p.plain(v)
	}
	return each(reference, func(key string, v any) any {
		switch s, isText := v.(string); {
		case isText && (key == "apiVersion" || key == "kind" || key == "name"):
			p.m.publish(s)
			return v
		case key == "uid" || key == "controller" || key == "blockOwnerDeletion":
			return p.scalar(v)
		}
		return p.plain(v)
	})
}

// label shows a label, which selectors and everybody who lists Secrets see.
func (p pass) label(v any) any {
	if s, ok := v.(string); ok {
		p.m.publish(s)
		return v
	}
	return p.plain(v)
}

// finalizer shows a qualified name, and those that the server itself has.
func (p pass) finalizer(v any) any {
	if s, ok := v.(string); ok && isFinalizer(s) {
		return p.text(s)
	}
	return p.plain(v)
}

func isFinalizer(s string) bool {
	domain, _, qualified := strings.Cut(s, "/")
	return qualified && strings.Contains(domain, ".") || s == "foregroundDeletion" || s == "orphan" || s == "kubernetes"
}

// annotation shows an annotation without the values in it: those of a copy of the Secret,
// as kubectl and others keep one, and those that its text quotes. A text that is a value is
// masked whole.
func (p pass) annotation(key string, v any) any {
	s, ok := v.(string)
	if !ok {
		return p.plain(v)
	}
	object, ok := parsedObject(s)
	_, data := object["data"].(map[string]any)
	_, stringData := object["stringData"].(map[string]any)
	switch {
	case ok && (key == lastApplied || isSecret(object) || data || stringData):
		return rewritten(s, object, each(object, func(key string, v any) any {
			if metadata, ok := v.(map[string]any); ok && key == "metadata" {
				return each(metadata, p.ofCopied)
			}
			return p.top(key, v)
		}))
	case HoldsText(s):
		p.m.learnText(s)
		return p.plain(s)
	case key == lastApplied || p.m.isValue(s):
		return p.plain(s)
	}
	masked := p.text(s)
	if same(masked, s) {
		masked = p.replace(s, quoted)
	}
	if p.m.seal != nil && masked != s {
		return p.plain(s) // a Sealer seals the whole text
	}
	return masked
}

// ofCopied leaves, of the metadata of a copy of a Secret in an annotation, the names, and the
// keys of labels and annotations.
func (p pass) ofCopied(key string, v any) any {
	name, isText := v.(string)
	values, isMap := v.(map[string]any)
	switch {
	case isText && (key == "name" || key == "namespace" || key == "generateName"):
		p.m.publish(name)
		return v
	case isMap && (key == "labels" || key == "annotations"):
		return each(values, func(_ string, v any) any { return p.concealed(v) })
	}
	return p.concealed(v)
}

// concealed is a value masked without a number. Texts are not searched for it; a Sealer
// seals it.
func (p pass) concealed(v any) any {
	if p.m.seal == nil {
		return hidden(v)
	}
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		if v == "" {
			return v
		}
	case map[string]any:
		return each(v, func(_ string, item any) any { return p.concealed(item) })
	case []any:
		return items(v, p.concealed)
	}
	return p.m.seal(fmt.Sprint(v))
}

func (p pass) belowMetadata(path string, v any) any {
	top, below := managedfields.Top(path)
	switch {
	case below == "":
		return p.ofMetadata(top, v)
	case top == "annotations":
		return p.annotation(strings.TrimPrefix(below, "."), v)
	case top == "labels":
		return p.label(v)
	case top == "finalizers":
		return p.finalizer(v)
	case top == "managedFields":
		return p.belowEntries(below, v)
	case top == "ownerReferences":
		if _, ok := v.(map[string]any); ok {
			return p.owner(v)
		}
		return p.scalar(v)
	}
	return p.plain(v)
}
