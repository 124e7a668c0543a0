package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var listUnmarked = finding.Rule{
	Name: "crd-list-unmarked", Severity: report.SeverityWarning,
	Title: "A definition has a list of objects without list type.",
	Why:   "Without x-kubernetes-list-type the list is atomic: two field managers cannot each own items, and one that forces replaces the items of all.",
}

var setOfObjects = finding.Rule{
	Name: "crd-set-of-objects", Severity: report.SeverityWarning,
	Title: "A definition has a set of objects.",
	Why:   "An item of a set is known by all of its value: a change of one field makes it another item, which is added to the old one. The API server accepts only atomic objects.",
	Fix:   "make it a keyed list (x-kubernetes-list-type: map)",
}

var keyOptional = finding.Rule{
	Name: "crd-key-optional", Severity: report.SeverityWarning,
	Title: "A key of a keyed list is neither required nor has a default.",
	Why:   "An item without the key cannot be told apart. The API server rejects such a definition.",
}

var mapUnmarked = finding.Rule{
	Name: "crd-map-unmarked", Severity: report.SeverityNote,
	Title: "A definition has an object without map type where its siblings have one.",
	Why:   "Without x-kubernetes-map-type the object is granular. Next to atomic ones that is easily overlooked.",
	Fix:   "set x-kubernetes-map-type: granular or atomic",
}

var granularUnbounded = finding.Rule{
	Name: "crd-granular-unbounded", Severity: report.SeverityNote,
	Title: "A definition has granular lists or maps of objects without bound.",
	Why:   "Each item has owners of its own, so that managed fields grow with the items, once for each manager: objects become large, and slow to apply. A bound (maxItems, maxProperties) also lets rules of CEL be accepted that look at all items.",
	Fix:   "set maxItems (maxProperties of a map), or make atomic what belongs to one owner",
}

// findDefinitionFaults looks through the schemas of a CustomResourceDefinition for lists and
// maps that merge otherwise than is likely to be meant.
func findDefinitionFaults(s *subject) {
	if !strings.HasPrefix(s.Target.APIVersion, "apiextensions.k8s.io/") || s.Target.Kind != "CustomResourceDefinition" {
		return
	}
	versions, _ := fieldtree.Value(s.Object, "spec", "versions").([]any)
	for i, v := range versions {
		version, _ := v.(map[string]any)
		root, _ := fieldtree.Value(version, "schema", "openAPIV3Schema").(map[string]any)
		d := definition{subject: s, version: text.Name(fmt.Sprint(version["name"]))}
		d.props(
			root,
			append(append(at("spec", "versions"), fieldpath.PathElement{Index: &i}), at("schema", "openAPIV3Schema")...),
			"",
		)
		d.tellUnmarked()
		if len(d.unbounded) > 0 {
			d.find(
				granularUnbounded,
				d.line(d.first),
				text.New("%v of %v may have any number of objects, each with owners of its own",
					text.Paths(d.unbounded, mostFields, len(d.unbounded)), d.version),
				d.unbounded...)
		}
	}
}

// definition is one version of a CustomResourceDefinition.
type definition struct {
	*subject
	version text.Arg
	// unbounded are granular lists and maps of objects without a bound, and first the place
	// of the first.
	unbounded []string
	first     fieldpath.Path
	// unmarked are lists of objects without list type.
	unmarked []unmarked
	// atomic: what is looked at belongs to an atomic list or map.
	atomic bool
}

// unmarked is a list of objects without list type: its place in the schema, its field, and
// what may be the key of its items; empty for nothing.
type unmarked struct {
	path       fieldpath.Path
	field, key string
}

// inside is the definition below an atomic list or map.
func (d *definition) inside() *definition {
	return &definition{subject: d.subject, version: d.version, atomic: true}
}

// tellUnmarked finds the lists without list type, those of one likely key as one: they have
// one cause, and large definitions have hundreds.
func (d *definition) tellUnmarked() {
	var keys []string
	byKey := map[string][]unmarked{}
	for _, u := range d.unmarked {
		if byKey[u.key] == nil {
			keys = append(keys, u.key)
		}
		byKey[u.key] = append(byKey[u.key], u)
	}
	for _, key := range keys {
		lists := byKey[key]
		fix := text.New(
			"set x-kubernetes-list-type: map with x-kubernetes-list-map-keys, or atomic where the list belongs to one owner",
		)
		if key != "" {
			fix = fix.And("; ", text.New("%v may be the key", text.Name(key)))
		}
		var fields []string
		for _, u := range lists {
			fields = append(fields, u.field)
		}
		says := text.New("%v of %v is a list of objects without x-kubernetes-list-type", text.Path(fields[0]), d.version)
		if len(fields) > 1 {
			says = text.New("%v of %v are lists of objects without x-kubernetes-list-type",
				text.Paths(fields, mostFields, len(fields)), d.version)
		}
		d.fixing(listUnmarked, d.line(lists[0].path), says, fix, fields...)
	}
}

// open notes an unbounded list or map.
func (d *definition) open(path fieldpath.Path, field string) {
	if d.atomic {
		return
	}
	if d.first == nil {
		d.first = path
	}
	d.unbounded = append(d.unbounded, field)
}

// mostFields is how many fields a sentence names.
const mostFields = 3

// below is a path with names behind it.
func below(path fieldpath.Path, names ...string) fieldpath.Path {
	return append(path.Copy(), at(names...)...)
}

// props looks at a schema that describes a field of the custom resource. Below what is
// atomic, nothing merges, whatever it is marked as.
func (d *definition) props(props map[string]any, path fieldpath.Path, field string) {
	if props == nil {
		return
	}
	if props["x-kubernetes-map-type"] == "atomic" {
		d = d.inside()
	}
	items, _ := props["items"].(map[string]any)
	if items != nil {
		d.list(props, items, path, field)
		of := d
		if kind, _ := props["x-kubernetes-list-type"].(string); kind == "" || kind == "atomic" {
			of = d.inside()
		}
		of.props(items, below(path, "items"), field+"[*]")
	}
	if values, _ := props["additionalProperties"].(map[string]any); values != nil {
		if values["type"] == "object" && props["maxProperties"] == nil {
			d.open(path, field)
		}
		d.props(values, below(path, "additionalProperties"), field+"[*]")
	}
	properties, _ := props["properties"].(map[string]any)
	d.siblings(properties, path, field)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		property, _ := properties[name].(map[string]any)
		if field == "" && (name == "metadata" || name == "status") {
			continue
		}
		d.props(property, below(path, "properties", name), field+"."+name)
	}
}

// list looks at the type of a list.
func (d *definition) list(props, items map[string]any, path fieldpath.Path, field string) {
	objects := items["type"] == "object"
	kind, _ := props["x-kubernetes-list-type"].(string)
	switch {
	case kind == "" && objects && !d.atomic:
		d.unmarked = append(d.unmarked, unmarked{path.Copy(), field, likelyKey(items)})
	case kind == "set" && objects:
		d.find(setOfObjects, d.line(path), text.New("%v of %v is a set of objects", text.Path(field), d.version), field)
	case kind == "map":
		if props["maxItems"] == nil {
			d.open(path, field)
		}
		d.keys(props, items, path, field)
	}
}

// likelyKey is a field that may be a key; empty for none.
func likelyKey(items map[string]any) string {
	properties, _ := items["properties"].(map[string]any)
	required, _ := items["required"].([]any)
	for _, name := range []string{"name", "key", "id", "type"} {
		if properties[name] != nil && slices.Contains(required, any(name)) {
			return name
		}
	}
	return ""
}

// keys looks for keys that an item may leave out.
func (d *definition) keys(props, items map[string]any, path fieldpath.Path, field string) {
	keys, _ := props["x-kubernetes-list-map-keys"].([]any)
	required, _ := items["required"].([]any)
	properties, _ := items["properties"].(map[string]any)
	for _, key := range keys {
		name := fmt.Sprint(key)
		property, _ := properties[name].(map[string]any)
		if slices.Contains(required, key) || property["default"] != nil {
			continue
		}
		d.fixing(
			keyOptional,
			d.line(below(path, "x-kubernetes-list-map-keys")),
			text.New(
				"%v of %v is keyed by %v, which is neither required nor has a default", text.Path(field),
				d.version, text.Name(name),
			),
			text.New("make %v required, or give it a default", text.Name(name)),
			field,
		)
	}
}

// siblings looks for objects without map type next to objects that have one.
func (d *definition) siblings(properties map[string]any, path fieldpath.Path, field string) {
	var with, without []string
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		p, _ := properties[name].(map[string]any)
		switch {
		case p["type"] != "object":
		case p["x-kubernetes-map-type"] != nil:
			with = append(with, name)
		default:
			without = append(without, name)
		}
	}
	if len(with) == 0 || d.atomic {
		return
	}
	for _, name := range without {
		d.find(
			mapUnmarked,
			d.line(below(path, "properties", name)),
			text.New(
				"%v of %v has no x-kubernetes-map-type, and %v has",
				text.Path(field+"."+name),
				d.version,
				text.Name(strings.Join(with, ", ")),
			),
			field+"."+name,
		)
	}
}
