package redact

import (
	"reflect"
	"strings"
	"sync"
)

// scope says what is spoken of.
type scope int

const (
	// ofRun: no object in particular.
	ofRun scope = iota
	// ofOther: an object that has nothing to do with Secrets.
	ofOther
	// ofDerived: one with fields that were made from values of Secrets, and nothing else
	// that is one's.
	ofDerived
	// ofHolder: an object of another kind with a Secret in it.
	ofHolder
	// ofSecret: a Secret.
	ofSecret
)

// scope is what a struct speaks of: the object that its field Target names, or
// what is spoken of around it.
func (m *Masker) scope(v reflect.Value, around scope) scope {
	if around == ofSecret || v.Kind() != reflect.Struct {
		return around
	}
	t, ok := targetOf(v)
	switch {
	case !ok:
		return around
	case IsSecret(t.apiVersion, t.kind):
		return ofSecret
	case (m.knows.Load() || t.kind == "" || strings.HasSuffix(t.kind, "List")) && new(search).of(v):
		return ofHolder
	case len(derivedIn(v)) > 0:
		return ofDerived
	}
	return ofOther
}

// derivedIn are the fields of the objects in a struct that were made from values of
// Secrets.
func derivedIn(v reflect.Value) []string {
	for i := range v.NumField() {
		if v.Type().Field(i).Tag.Get("secret") == "derived" {
			fields, _ := v.Field(i).Interface().([]string)
			return fields
		}
	}
	return nil
}

// publishTarget notes what names the object that a struct speaks of.
func (m *Masker) publishTarget(v reflect.Value) {
	t, _ := targetOf(v)
	for _, name := range []string{t.namespace, t.name} {
		if name != "" {
			m.publish(name)
		}
	}
}

// publishAll notes the names in a field that is declared public.
func (m *Masker) publishAll(v reflect.Value) {
	switch {
	case v.Kind() == reflect.String && v.Len() > 0:
		m.publish(v.String())
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			m.publishAll(v.Index(i))
		}
	}
}

// target is the object that a struct names in its field Target.
type target struct{ apiVersion, kind, namespace, name string }

// targets are where the types that were seen name an object: the indexes of
// their fields APIVersion, Kind, Namespace and Name in that order; nil where
// they name none.
var targets sync.Map // of reflect.Type to [][]int

func targetOf(v reflect.Value) (target, bool) {
	indexes, seen := targets.Load(v.Type())
	if !seen {
		indexes = targetIndexes(v.Type())
		targets.Store(v.Type(), indexes)
	}
	fields := indexes.([][]int)
	if fields == nil {
		return target{}, false
	}
	text := func(i int) string { return v.FieldByIndex(fields[i]).String() }
	return target{text(0), text(1), text(2), text(3)}, true
}

func targetIndexes(t reflect.Type) [][]int {
	named, ok := t.FieldByName("Target")
	if !ok || named.Type.Kind() != reflect.Struct {
		return nil
	}
	var out [][]int
	for _, name := range []string{"APIVersion", "Kind", "Namespace", "Name"} {
		f, ok := named.Type.FieldByName(name)
		if !ok || f.Type.Kind() != reflect.String {
			return nil
		}
		out = append(out, append(append([]int(nil), named.Index...), f.Index...))
	}
	return out
}

// treeTypes tells of the types of list items whether they may have objects.
var treeTypes sync.Map

// hasTrees reports whether values of a type of list items may have objects.
func hasTrees(t reflect.Type) bool {
	has, known := treeTypes.Load(t)
	if !known {
		has = mayHold(t, map[reflect.Type]bool{})
		treeTypes.Store(t, has)
	}
	return has.(bool)
}

// mayHold looks into a type, and into no type twice: one may contain itself.
func mayHold(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface, reflect.Map:
		return true
	case reflect.Pointer, reflect.Slice:
		return mayHold(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && mayHold(f.Type, seen) {
				return true
			}
		}
	}
	return false
}

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
