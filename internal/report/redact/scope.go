package redact

import (
	"reflect"
	"slices"
	"strings"
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

// scope is the subject of a struct: the object in its field Target, or the surrounding
// subject.
func (m walker) scope(v reflect.Value, around scope) scope {
	if around == ofSecret || v.Kind() != reflect.Struct {
		return around
	}
	t, ok := targetOf(v)
	switch {
	case !ok:
		return around
	case IsSecret(t.apiVersion, t.kind):
		return ofSecret
	case (m.knows.Load() || t.kind == "" || strings.HasSuffix(t.kind, "List")) && search{}.of(v):
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

func (m walker) publishAll(v reflect.Value) {
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

func targetOf(v reflect.Value) (target, bool) {
	named := v.FieldByName("Target")
	if named.Kind() != reflect.Struct {
		return target{}, false
	}
	var texts [4]string
	for i, name := range []string{"APIVersion", "Kind", "Namespace", "Name"} {
		f := named.FieldByName(name)
		if f.Kind() != reflect.String {
			return target{}, false
		}
		texts[i] = f.String()
	}
	return target{texts[0], texts[1], texts[2], texts[3]}, true
}

// mayHold reports whether values of a type may have objects. It looks into no type twice:
// one may contain itself.
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

// search looks for Secrets in the trees of a struct, which share much of their memory: the
// live object, the resulting one, and of each change the values before and after. It
// remembers the maps and lists near the top of trees, to look through each once.
type search map[container]struct{}

type container struct {
	at  uintptr
	len int
}

// near is how many levels of a tree are near its top: a change is of a field near the top
// of its object, or it is small.
const near = 4

// of reports whether a tree of a struct has a Secret in it.
func (s search) of(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && s.of(v.Elem())
	case reflect.Interface, reflect.Map:
		return v.CanInterface() && s.below(v.Interface(), 0)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && s.of(v.Field(i)) {
				return true
			}
		}
	case reflect.Slice:
		if !mayHold(v.Type().Elem(), map[reflect.Type]bool{}) {
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

// below looks through a tree that stands so deep.
func (s search) below(v any, depth int) bool {
	switch v := v.(type) {
	case map[string]any:
		if s.known(v, len(v), depth) {
			return false
		}
		if isSecret(v) {
			return true
		}
		for _, item := range v {
			if s.below(item, depth+1) {
				return true
			}
		}
	case []any:
		return !s.known(v, len(v), depth) && slices.ContainsFunc(v, func(item any) bool { return s.below(item, depth+1) })
	case string:
		return HoldsText(v)
	}
	return false
}

// known reports whether a map or list near the top was looked at before, and has it known
// from now on.
func (s search) known(v any, length, depth int) bool {
	if depth >= near {
		return false
	}
	c := container{reflect.ValueOf(v).Pointer(), length}
	_, known := s[c]
	s[c] = struct{}{}
	return known
}
