package redact

import (
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// metadata masks labels, annotations, values in the managed fields entries, and
// what no metadata has.
func (p pass) metadata(metadata map[string]any) map[string]any {
	return p.each(metadata, p.ofMetadata)
}

// ofMetadata masks the value of a field of metadata.
func (p pass) ofMetadata(key string, v any) any {
	switch key {
	case "name", "namespace", "generateName":
		if name, ok := v.(string); ok {
			p.m.publish(name)
			return v
		}
	case "uid", "resourceVersion", "selfLink", "creationTimestamp", "deletionTimestamp", "generation", "deletionGracePeriodSeconds":
		return p.scalar(v)
	case "ownerReferences":
		if owners, ok := v.([]any); ok {
			return p.items(owners, p.owner)
		}
	case "finalizers":
		if list, ok := v.([]any); ok {
			return p.items(list, p.finalizer)
		}
	case "labels":
		if labels, ok := v.(map[string]any); ok {
			return p.each(labels, func(_ string, v any) any { return p.plain(v) })
		}
	case "annotations":
		if annotations, ok := v.(map[string]any); ok {
			return p.each(annotations, p.annotation)
		}
	case "managedFields":
		return p.entries(v)
	}
	return p.plain(v)
}

// scalar shows what a server assigns, unless it is of a wrong type or repeats a
// value.
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
	return p.each(reference, func(key string, v any) any {
		switch key {
		case "apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion":
			return p.scalar(v)
		}
		return p.plain(v)
	})
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

// annotation masks an annotation: of a copy of the Secret, as kubectl and
// others keep one, the values, and any other whole.
func (p pass) annotation(key string, v any) any {
	s, ok := v.(string)
	if !ok {
		return p.plain(v)
	}
	object, ok := parsedObject(s)
	if !ok {
		if holdsText(s) {
			p.m.learnText(s)
		}
		return p.plain(s)
	}
	if key != lastApplied && !isSecret(object) {
		p.leaves(object)
		return p.plain(s)
	}
	masked := p.secret(object)
	if metadata, ok := object["metadata"].(map[string]any); ok {
		masked = p.each(masked, func(key string, v any) any {
			if key == "metadata" {
				return p.copied(metadata)
			}
			return v
		})
	}
	return encode(masked, s)
}

// copied leaves the names in the metadata of an annotation, and the keys of
// labels and annotations. What it holds may repeat the object's own metadata,
// and needs no numbers.
func (p pass) copied(metadata map[string]any) map[string]any {
	return p.each(metadata, func(key string, v any) any {
		p.leaves(v)
		switch values, isMap := v.(map[string]any); {
		case (key == "name" || key == "namespace" || key == "generateName") && isString(v):
			p.m.publish(v.(string))
			return v
		case (key == "labels" || key == "annotations") && isMap:
			return p.each(values, func(_ string, v any) any { return p.concealed(v) })
		}
		return p.concealed(v)
	})
}

// concealed is a value of which not even equality is seen; a Sealer seals it, so that it
// can be found again.
func (p pass) concealed(v any) any {
	if p.m.seal == nil {
		return hidden(v)
	}
	switch v := v.(type) {
	case map[string]any:
		return p.each(v, func(_ string, item any) any { return p.concealed(item) })
	case []any:
		return p.items(v, p.concealed)
	}
	return p.plain(v)
}

func isString(v any) bool { _, ok := v.(string); return ok }

// belowMetadata masks the value of a path below metadata.
func (p pass) belowMetadata(path string, v any) any {
	top, below := managedfields.Top(path)
	switch {
	case below == "":
		return p.ofMetadata(top, v)
	case top == "annotations":
		return p.annotation(strings.TrimPrefix(below, "."), v)
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
