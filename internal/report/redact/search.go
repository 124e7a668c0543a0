package redact

import "reflect"

// search looks for Secrets in the trees of a struct. Those have much in memory in common:
// the live object, the resulting one, and of each change the values before and after. What
// was looked through, and has none, is not looked through again.
type search struct {
	// first is an object that was looked through.
	first map[string]any
	// seen are the maps and lists near the top of trees that were, or are being.
	seen map[container]struct{}
}

// container is a map or a list in memory.
type container struct {
	at  uintptr
	len int
}

// near is how many levels of a tree are near its top: a change is of a field near the top
// of its object, or it is small.
const near = 4

// of reports whether a tree of a struct has a Secret in it.
func (s *search) of(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && s.of(v.Elem())
	case reflect.Interface, reflect.Map:
		return v.CanInterface() && s.tree(v.Interface())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && s.of(v.Field(i)) {
				return true
			}
		}
	case reflect.Slice:
		if !hasTrees(v.Type().Elem()) {
			return false
		}
		for i := range v.Len() {
			if s.of(v.Index(i)) {
				return true
			}
		}
	}
	return false
}

func (s *search) tree(v any) bool {
	if s.below(v, s.first, 0) {
		return true
	}
	if object, ok := v.(map[string]any); ok && s.first == nil {
		s.first = object
	}
	return false
}

// below looks through a tree that stands so deep. What clean has at the same place was
// looked through.
func (s *search) below(v, clean any, depth int) bool {
	switch v := v.(type) {
	case map[string]any:
		clean, _ := clean.(map[string]any)
		if clean != nil && sameMap(v, clean) || s.known(v, len(v), depth) {
			return false
		}
		if isSecret(v) {
			return true
		}
		for key, item := range v {
			if s.below(item, clean[key], depth+1) {
				return true
			}
		}
	case []any:
		clean, _ := clean.([]any)
		if clean != nil && sameList(v, clean) || s.known(v, len(v), depth) {
			return false
		}
		for i, item := range v {
			var like any
			if i < len(clean) {
				like = clean[i]
			}
			if s.below(item, like, depth+1) {
				return true
			}
		}
	case string:
		clean, ok := clean.(string)
		return (!ok || v != clean) && holdsText(v)
	}
	return false
}

// known reports whether a map or list near the top was looked at before, and has it known
// from now on.
func (s *search) known(v any, length, depth int) bool {
	if depth >= near {
		return false
	}
	if s.seen == nil {
		s.seen = map[container]struct{}{}
	}
	c := container{reflect.ValueOf(v).Pointer(), length}
	_, known := s.seen[c]
	s.seen[c] = struct{}{}
	return known
}
