package impact

import (
	"maps"
	"reflect"
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
)

// about is what of a value is compared: nil is whether it is there.
type about struct {
	// whole is all of it. Else there are the fields that a schema names, and each for
	// items and other values, where open says that there is a schema of those. What
	// no schema is of is compared as a whole.
	whole  bool
	fields map[string]*about
	open   bool
	each   *about
}

var everything = &about{whole: true}

func (a *about) field(name string) *about {
	if below, named := a.fields[name]; named {
		return below
	}
	return a.item()
}

func (a *about) item() *about {
	if a.open {
		return a.each
	}
	return everything
}

// The keywords of a schema that do not say what a value may be.
var (
	// leading lead to other schemas.
	leading = []string{"properties", "items", "additionalProperties"}
	// describing say nothing to the server.
	describing = []string{"description", "title", "example", "externalDocs"}
	// counting look at which fields there are, or how many.
	counting = []string{"required", "minProperties", "maxProperties", "minItems", "maxItems"}
	// looking look into a value, however deep.
	looking = []string{"x-kubernetes-validations", "allOf", "anyOf", "oneOf", "not", "enum", "uniqueItems"}
)

// aboutOf is what is compared of a value that has these schemas, and whether they
// differ.
func aboutOf(schemas []any) (*about, bool) {
	var all []map[string]any
	for _, s := range schemas {
		m, ok := s.(map[string]any)
		if !ok {
			return everything, true
		}
		all = append(all, m)
	}
	out := &about{fields: map[string]*about{}}
	differs := !agree(all, slices.Concat(leading, describing))
	for _, name := range propertiesOf(all) {
		below, other := aboutOf(childOf(all, "properties", name))
		out.fields[name] = where(other, below)
		differs = differs || other
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if list := childOf(all, key); slices.ContainsFunc(list, func(v any) bool { return v != nil }) {
			below, other := eachOf(list)
			out.open, out.each = true, where(other, below)
			differs = differs || other
		}
	}
	if differs && (slices.ContainsFunc(all, looksInside) || !agree(all, slices.Concat(leading, describing, counting))) {
		return everything, true
	}
	out.keepKeys(all[0])
	return out, differs
}

// where is what is compared where schemas differ.
func where(differs bool, a *about) *about {
	if differs {
		return a
	}
	return nil
}

// eachOf is aboutOf for the schemas of items or other values, which may be true or
// false.
func eachOf(list []any) (*about, bool) {
	if _, is := list[0].(bool); is {
		return everything, slices.ContainsFunc(list, func(v any) bool { return v != list[0] })
	}
	return aboutOf(list)
}

// keepKeys has the keys of list items compared: managed fields name items by them.
func (a *about) keepKeys(schema map[string]any) {
	if a.each == nil || a.each.whole {
		return
	}
	for _, key := range listed(schema["x-kubernetes-list-map-keys"]) {
		a.each.fields[key] = everything
	}
}

// agree reports whether schemas are the same but for some keywords.
func agree(all []map[string]any, but []string) bool {
	rest := func(schema map[string]any) map[string]any {
		out := maps.Clone(schema)
		maps.DeleteFunc(out, func(key string, _ any) bool { return slices.Contains(but, key) })
		return out
	}
	first := rest(all[0])
	return !slices.ContainsFunc(all[1:], func(s map[string]any) bool { return !reflect.DeepEqual(rest(s), first) })
}

func looksInside(schema map[string]any) bool {
	return slices.ContainsFunc(looking, func(key string) bool { return schema[key] != nil })
}

// propertiesOf are the names of the fields that any of the schemas has.
func propertiesOf(all []map[string]any) []string {
	names := map[string]any{}
	for _, s := range all {
		maps.Copy(names, asMap(s["properties"]))
	}
	return slices.Collect(maps.Keys(names))
}

// childOf is what each schema has at a path of keywords.
func childOf(all []map[string]any, path ...string) []any {
	var out []any
	for _, s := range all {
		out = append(out, fieldtree.Value(s, path...))
	}
	return out
}
