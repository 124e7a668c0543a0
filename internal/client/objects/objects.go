// Package objects reads and edits objects as clients see them: trees of JSON, none of whose fields
// need be there or have the type that they should. What is missing, or of another type, reads as the
// zero value.
package objects

import (
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// List is the list at a path of fields.
func List(object map[string]any, path ...string) []any {
	out, _, _ := unstructured.NestedSlice(object, path...)
	return out
}

// Text is the string at a path of fields.
func Text(object map[string]any, path ...string) string {
	out, _, _ := unstructured.NestedString(object, path...)
	return out
}

// Truth is the boolean at a path of fields.
func Truth(object map[string]any, path ...string) bool {
	out, _, _ := unstructured.NestedBool(object, path...)
	return out
}

// Texts are the strings of a list.
func Texts(items []any) []string {
	var out []string
	for _, item := range items {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// Maps are the maps of a list.
func Maps(items []any) []map[string]any {
	var out []map[string]any
	for _, item := range items {
		if m, ok := item.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// Labels are those of an object; nil for none.
func Labels(object map[string]any) map[string]string {
	return (&unstructured.Unstructured{Object: object}).GetLabels()
}

// Annotations are those of an object; nil for none.
func Annotations(object map[string]any) map[string]string {
	return (&unstructured.Unstructured{Object: object}).GetAnnotations()
}

// ManagedBy reports whether an object has an entry of a manager.
func ManagedBy(object map[string]any, manager string) bool {
	return slices.ContainsFunc(Entries(object), func(e metav1.ManagedFieldsEntry) bool { return e.Manager == manager })
}

// HasOption reports whether a comma-separated annotation has an option.
func HasOption(object map[string]any, key, value string) bool {
	return slices.ContainsFunc(
		strings.Split(Annotations(object)[key], ","),
		func(s string) bool { return strings.TrimSpace(s) == value },
	)
}

// Entries are the managed fields entries of an object, in its order.
func Entries(object map[string]any) []metav1.ManagedFieldsEntry {
	return (&unstructured.Unstructured{Object: object}).GetManagedFields()
}

// HasAny reports whether the labels or annotations of an object have one of the values, which are
// compared without regard to case.
func HasAny(object map[string]any, values map[string]string) bool {
	if object == nil {
		return false
	}
	for key, value := range values {
		if strings.EqualFold(Labels(object)[key], value) || strings.EqualFold(Annotations(object)[key], value) {
			return true
		}
	}
	return false
}

// Merge adds values to the labels or annotations (the key) of an object, in place.
func Merge(object map[string]any, key string, values map[string]string) {
	if len(values) == 0 {
		return
	}
	all, _, _ := unstructured.NestedNullCoercingStringMap(object, "metadata", key)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, values)
	_ = unstructured.SetNestedStringMap(object, all, "metadata", key)
}
