package redact

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Document gives a document in which the values of Secrets are masked. The given
// one is not changed; what has nothing to mask is shared with it.
func Document[T any](m *Masker, document T) T {
	if m.Shows() {
		return document
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	v := reflect.ValueOf(&document).Elem()
	// Learn the document's own values before its texts are searched.
	m.dry = true
	walker{m}.walk(v, at{})
	m.dry = false
	if masked, changed := (walker{m}).walk(v, at{}); changed {
		return masked.Interface().(T)
	}
	return document
}

// Concerns reports whether Document would mask anything in what is said of one object.
func (m *Masker) Concerns(document any) bool {
	if m.Shows() {
		return false
	}
	return walker{m}.scope(reflect.Indirect(reflect.ValueOf(document)), ofRun) != ofOther
}

// walker walks through documents.
type walker struct{ *Masker }

// at is where a value stands.
type at struct {
	scope scope
	// field is the path of the field that it is of; empty where that is not known.
	field string
	tag   string
	// derived are the fields of objects that were made from values of Secrets.
	derived []string
}

// inside is where a tree stands: one that is an object as a whole is no value of a field.
func (a at) inside(object bool) at {
	if object {
		a.field = ""
	}
	return a
}

// walk gives a value with what is secret in it masked, and whether anything is. Named types
// of strings are words of the program.
func (m walker) walk(v reflect.Value, a at) (reflect.Value, bool) {
	whole := v.Type() == reflect.TypeFor[map[string]any]()
	if whole || v.Kind() == reflect.Interface {
		a = a.inside(whole)
		switch tree := v.Interface().(type) {
		case nil:
			return v, false
		case string, bool, int64, float64, int, map[string]any, []any:
			masked := m.tree(tree, a)
			return reflect.ValueOf(masked), !same(masked, tree)
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v, false
		}
		masked, changed := m.walk(v.Elem(), a)
		if !changed {
			return v, false
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(masked)
		return out, true
	case reflect.Struct:
		return m.walkStruct(v, a)
	case reflect.Slice:
		return m.walkSlice(v, a)
	case reflect.Map:
		return m.walkMap(v, a)
	case reflect.String:
		if !m.dry && v.Type() == reflect.TypeFor[string]() && v.Len() > 0 {
			masked := m.say(v.String(), a)
			return reflect.ValueOf(masked), masked != v.String()
		}
	}
	return v, false
}

// walkStruct walks the exported fields. A field path in the struct says what its values
// belong to.
func (m walker) walkStruct(v reflect.Value, a at) (reflect.Value, bool) {
	if a.scope = m.scope(v, a.scope); a.scope == ofOther {
		return v, false
	}
	if out, ok := m.mapped(v, a); ok {
		return out, true
	}
	of := m.publishTarget(v)
	if field, ok := fieldNamed(v); ok {
		a.field = field
	}
	a.derived = m.derived(v, of, a.derived)
	out, changed := v, false
	if c, ok := v.Interface().(Concealer); ok && (a.scope == ofSecret || a.scope == ofHolder) {
		out, changed = reflect.New(v.Type()).Elem(), true
		out.Set(reflect.ValueOf(c.Concealed()))
		v = out
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		a.tag = f.Tag.Get("secret")
		if a.tag == "public" {
			m.publishAll(v.Field(i))
		}
		if !f.IsExported() || a.tag == "public" {
			continue
		}
		masked, differs := m.walk(v.Field(i), a)
		if !differs {
			continue
		}
		if !changed {
			out, changed = reflect.New(v.Type()).Elem(), true
			out.Set(v)
		}
		out.Field(i).Set(masked)
	}
	return out, changed
}

// publishTarget publishes the name and the namespace of the object that a struct is about, and gives it.
func (m walker) publishTarget(v reflect.Value) target {
	of, _ := targetOf(v)
	for _, name := range []string{of.namespace, of.name} {
		if name != "" {
			m.publish(name)
		}
	}
	return of
}

// derived are the fields that were made from values of Secrets: those that a struct lists, or else those of the struct
// around it, and those of its object.
func (m walker) derived(v reflect.Value, of target, around []string) []string {
	if fields := derivedIn(v); fields != nil {
		around = fields
	}
	return append(slices.Clip(around), m.heldIn(of)...)
}

// Mapper has texts in unexported fields.
type Mapper interface {
	// Mapped gives a copy of the same type with each text mapped.
	Mapped(func(string) string) any
}

func (m walker) mapped(v reflect.Value, a at) (reflect.Value, bool) {
	if m.dry || !v.Type().Implements(reflect.TypeFor[Mapper]()) {
		return v, false
	}
	changed := false
	masked := v.Interface().(Mapper).Mapped(func(s string) string {
		masked := m.say(s, a)
		changed = changed || masked != s
		return masked
	})
	return reflect.ValueOf(masked), changed
}

// Concealer leaves out more than values, such as lines of a file, where it is about a
// Secret or about an object with one in it.
type Concealer interface {
	// Concealed gives a copy, of the same type, without what is not to be shown.
	Concealed() any
}

// fieldNamed is the field path, or the one that the JSON pointer means, that
// stands in a struct.
func fieldNamed(v reflect.Value) (string, bool) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Type.Kind() != reflect.String {
			continue
		}
		switch s := v.Field(i).String(); f.Tag.Get("secret") {
		case "path", "about":
			return s, s != ""
		case "pointer":
			return fieldOf(s), true
		}
	}
	return "", false
}

func (m walker) walkSlice(v reflect.Value, a at) (reflect.Value, bool) {
	if v.Type().Elem().Kind() == reflect.Uint8 && !m.dry {
		masked := m.say(string(v.Bytes()), a)
		return reflect.ValueOf([]byte(masked)).Convert(v.Type()), masked != string(v.Bytes())
	}
	out, changed := v, false
	for i := range v.Len() {
		masked, differs := m.walk(v.Index(i), a)
		if !differs {
			continue
		}
		if !changed {
			out, changed = reflect.MakeSlice(v.Type(), v.Len(), v.Len()), true
			reflect.Copy(out, v)
		}
		out.Index(i).Set(masked)
	}
	return out, changed
}

// walkMap walks the values of a map in the order of the keys, so that masks have the same
// numbers in each run.
func (m walker) walkMap(v reflect.Value, a at) (reflect.Value, bool) {
	out, changed := v, false
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	for _, key := range keys {
		masked, differs := m.walk(v.MapIndex(key), a)
		if !differs {
			continue
		}
		if !changed {
			out, changed = reflect.MakeMap(v.Type()), true
			for _, k := range keys {
				out.SetMapIndex(k, v.MapIndex(k))
			}
		}
		out.SetMapIndex(key, masked)
	}
	return out, changed
}

// tree masks a JSON value: as a whole where it is one of a Secret, and else the
// Secrets in it.
func (m walker) tree(v any, a at) any {
	object, isObject := v.(map[string]any)
	switch {
	case isObject && object == nil, a.tag == "text" && m.dry:
		return v
	case a.tag == "text":
		return m.sentences(v)
	case isObject && a.field == "" && a.derived != nil:
		v = without(object, a.derived, "")
		a.derived = nil
		return m.tree(v, a)
	case a.field != "" && v != nil && covers(a.derived, a.field):
		return hidden(v)
	case a.scope == ofDerived:
		return v
	case a.scope != ofSecret:
		return m.masking().tree(v)
	case a.field != "":
		return m.masking().at(a.field, v)
	case isObject:
		return m.masking().secret(object)
	}
	return m.masking().plain(v)
}

// say is a text as it may be said.
func (m walker) say(s string, a at) string {
	switch {
	case a.scope == ofDerived:
		return s
	case a.tag == "path" && a.scope == ofSecret:
		return m.path(s)
	case a.tag == "path":
		names, _, _ := strings.Cut(s, "[")
		return names + m.replace(s[len(names):])
	case a.tag == "pointer":
		return s
	case a.tag == "ours":
		return m.masking().replace(s, anywhere)
	case a.scope == ofRun || a.tag == "about":
		return m.replace(s)
	}
	return m.fault(a.field, s)
}
