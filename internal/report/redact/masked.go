package redact

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var aMask = regexp.MustCompile(regexp.QuoteMeta(maskStart) + `\d+\)`)

// MentionsMask reports whether a text in JSON or YAML may have a mask in it.
func MentionsMask(text []byte) bool { return bytes.Contains(text, []byte(unseen)) }

// Masked is the path of a mask that replaces a value of a Secret: keys and positions; nil
// without one. It does not look at objects of other kinds, which may have such a text.
func Masked(v any) []any {
	object, isObject := v.(map[string]any)
	if isObject && saysSecret(object) {
		return maskedSecret(object)
	}
	return within(v, func(_ string, item any) []any { return Masked(item) })
}

// MaskedPatch is that of a patch of a Secret.
func MaskedPatch(patch any) []any {
	if object, ok := patch.(map[string]any); ok {
		return maskedSecret(object)
	}
	return maskedText(patch)
}

// maskedSecret looks at all of a Secret. In data even a mask without a number is one, as
// it is no base64.
func maskedSecret(object map[string]any) []any {
	return within(object, func(key string, item any) []any {
		switch key {
		case "data":
			return within(item, func(_ string, item any) []any {
				if s, ok := item.(string); ok && strings.HasPrefix(s, unseen) {
					return []any{}
				}
				return nil
			})
		case "items":
			return within(item, func(_ string, item any) []any {
				if item, ok := item.(map[string]any); ok {
					return maskedSecret(item)
				}
				return nil
			})
		case "metadata":
			return within(item, maskedMetadata)
		}
		return maskedText(item)
	})
}

// maskedMetadata looks at annotations; a mask may be a part of one.
func maskedMetadata(key string, item any) []any {
	if key != "annotations" {
		return maskedText(item)
	}
	return within(item, func(_ string, item any) []any {
		if s, ok := item.(string); ok && aMask.MatchString(s) {
			return []any{}
		}
		return nil
	})
}

// maskedText looks for texts that are masks with a number.
func maskedText(v any) []any {
	if s, ok := v.(string); ok && s != unseen && isMask(s) {
		return []any{}
	}
	return within(v, func(_ string, item any) []any { return maskedText(item) })
}

// within is the first path that is found in what a map or a list has, with its key or
// position in front.
func within(v any, find func(key string, item any) []any) []any {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if path := find(key, v[key]); path != nil {
				return append([]any{key}, path...)
			}
		}
	case []any:
		for i, item := range v {
			if path := find("", item); path != nil {
				return append([]any{i}, path...)
			}
		}
	}
	return nil
}

// Masks are the numbered masks in a value, added to those of others.
func Masks(into map[string]bool, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, item := range v {
			Masks(into, item)
		}
	case []any:
		for _, item := range v {
			Masks(into, item)
		}
	case string:
		for _, mask := range aMask.FindAllString(v, -1) {
			into[mask] = true
		}
	}
}
