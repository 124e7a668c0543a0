package impact

import (
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
)

// version is one of the versions of a definition.
type version struct {
	index int
	// object is the version, and root its schema; empty for none.
	object, root map[string]any
}

// version is that of a name.
func (d *Definition) version(name string) (version, bool) {
	if d == nil {
		return version{}, false
	}
	for i, v := range d.list() {
		if v["name"] == name {
			root, _ := fieldtree.Value(v, "schema", "openAPIV3Schema").(map[string]any)
			return version{index: i, object: v, root: root}, true
		}
	}
	return version{}, false
}

// list is all versions.
func (d *Definition) list() []map[string]any {
	if d == nil {
		return nil
	}
	list, _ := fieldtree.Value(d.Object, "spec", "versions").([]any)
	var out []map[string]any
	for _, v := range list {
		m, _ := v.(map[string]any)
		out = append(out, m)
	}
	return out
}

// at is the path of a version in its definition.
func (v version) at(below ...string) fieldpath.Path {
	path := append(names("spec", "versions"), fieldpath.PathElement{Index: &v.index})
	return append(path, names(below...)...)
}

// segments are the names of a field path as .spec.list[*].name has them.
func segments(field string) []string {
	var out []string
	for _, part := range strings.Split(field, ".") {
		if name, _, _ := strings.Cut(part, each); name != "" {
			out = append(out, name)
		}
		for range strings.Count(part, each) {
			out = append(out, each)
		}
	}
	return out
}

// each stands for the items of a list, or the values of a map.
const each = "[*]"

// schemaOf is where the schema of a field stands, as far as there is one of it, with
// that schema.
func (v version) schemaOf(field string) (fieldpath.Path, map[string]any) {
	path, props := v.at("schema", "openAPIV3Schema"), v.root
	for _, name := range segments(field) {
		below, key := step(props, name)
		if below == nil {
			return path, props
		}
		path, props = append(path, names(key...)...), below
	}
	return path, props
}

// step is the schema below another, with the keys that lead to it; nil for none.
func step(props map[string]any, name string) (map[string]any, []string) {
	if name != each {
		below, _ := fieldtree.Value(props, "properties", name).(map[string]any)
		return below, []string{"properties", name}
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if below, ok := props[key].(map[string]any); ok {
			return below, []string{key}
		}
	}
	return nil, nil
}

// lineOf is where the new definition has the schema of a field, or one of the given
// keywords of it.
func (s *subject) lineOf(versionName, field string, keywords ...string) *report.Source {
	v, ok := s.New.version(versionName)
	if !ok {
		return nil
	}
	path, props := v.schemaOf(field)
	for _, keyword := range keywords {
		if _, has := props[keyword]; has {
			return s.line(append(path.Copy(), names(keyword)...))
		}
	}
	return s.line(path)
}
