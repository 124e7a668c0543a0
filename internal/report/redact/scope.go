package redact

import (
	"reflect"
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
	case m.heldIn(t) != nil:
		return ofHolder
	case (m.knows.Load() || t.kind == "" || strings.HasSuffix(t.kind, "List")) && holds(v):
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

// holds reports whether a tree of a struct has a Secret in it.
func holds(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && holds(v.Elem())
	case reflect.Interface, reflect.Map:
		return v.CanInterface() && Holds(v.Interface())
	case reflect.Struct:
		return fieldsHold(v)
	case reflect.Slice:
		if v.Len() == 0 || !mayHold(v.Type().Elem(), map[reflect.Type]bool{}) {
			return false
		}
		for i := range v.Len() {
			if holds(v.Index(i)) {
				return true
			}
		}
	}
	return false
}

// fieldsHold is holds of the exported fields of a struct, whose trees share what does not
// differ.
func fieldsHold(v reflect.Value) bool {
	var first map[string]any
	for i := range v.NumField() {
		f := v.Field(i)
		switch {
		case !v.Type().Field(i).IsExported():
		case f.Type() != reflect.TypeFor[map[string]any]():
			if holds(f) {
				return true
			}
		default:
			tree, _ := f.Interface().(map[string]any)
			if holdsBeside(tree, first) {
				return true
			}
			if first == nil {
				first = tree
			}
		}
	}
	return false
}
