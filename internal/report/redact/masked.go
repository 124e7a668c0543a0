package redact

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// maskStart begins each mask that has a number.
const maskStart = "*** (secret "

// unseen is the mask of what is hidden without a number.
const unseen = "***"

// isMask reports whether a text is a mask and nothing else.
func isMask(s string) bool {
	return s == unseen || strings.HasPrefix(s, maskStart) && strings.IndexByte(s, ')') == len(s)-1
}

var aMask = regexp.MustCompile(regexp.QuoteMeta(maskStart) + `\d+\)`)

// MentionsMask reports whether a text in JSON or YAML may have a mask in it.
func MentionsMask(text []byte) bool { return bytes.Contains(text, []byte(unseen)) }

// Masked is the path of a mask that replaces a value of a Secret: keys and positions; nil
// without one. It does not look at objects of other kinds, which may have such a text.
func Masked(v any) []any {
	if object, ok := v.(map[string]any); ok && saysSecret(object) {
		return maskedAt(v, nil)
	}
	return within(v, func(_ any, item any) []any { return Masked(item) })
}

// MaskedPatch is that of a patch of a Secret.
func MaskedPatch(patch any) []any { return maskedAt(patch, nil) }

// maskedAt looks for a mask in what stands at a path of a Secret. In data even one without
// a number is a mask, as it is no base64; in an annotation it may be a part of the text.
func maskedAt(v any, at []any) []any {
	if len(at) == 2 && at[0] == "items" {
		at = nil // an item of a SecretList
	}
	s, isText := v.(string)
	switch {
	case !isText:
		return within(v, func(key any, item any) []any { return maskedAt(item, append(at[:len(at):len(at)], key)) })
	case len(at) == 2 && at[0] == "data":
		isText = strings.HasPrefix(s, unseen)
	case len(at) == 3 && at[0] == "metadata" && at[1] == "annotations":
		isText = aMask.MatchString(s)
	default:
		isText = s != unseen && isMask(s)
	}
	if isText {
		return []any{}
	}
	return nil
}

// within is the first path that is found in what a map or a list has, with its key or
// position in front.
func within(v any, find func(key, item any) []any) []any {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if path := find(key, v[key]); path != nil {
				return append([]any{key}, path...)
			}
		}
	case []any:
		for i, item := range v {
			if path := find(i, item); path != nil {
				return append([]any{i}, path...)
			}
		}
	}
	return nil
}

// Masks are the numbered masks in a value, added to those of others.
func Masks(into map[string]bool, v any) {
	if s, ok := v.(string); ok {
		for _, mask := range aMask.FindAllString(s, -1) {
			into[mask] = true
		}
	}
	within(v, func(_, item any) []any { Masks(into, item); return nil })
}
