package impact

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var entryLost = &effectRule{finding.Rule{
	Name: "entry-lost", Severity: report.SeverityError,
	Title: "A managed fields entry is dropped at the next write.",
	Why:   "Its manager then owns nothing: fields that it leaves out stay for ever, and others overwrite its fields without a conflict.",
	Fix:   "have the manager apply at a version that stays, before the change",
}, func(e Effect) text.Text { return text.New("the entry of %v is dropped", e.by()) }}

var ownerWidened = &effectRule{finding.Rule{
	Name: "owner-widened", Severity: report.SeverityWarning,
	Title: "Field managers own more than they applied.",
	Why:   "A field became atomic, so that each of them owns all of it, the others' parts included. The next apply of each conflicts with the others, or removes their parts where it forces.",
	Fix:   "let one manager own the field, and take it out of the manifests of all others",
}, func(e Effect) text.Text { return text.New("%v comes to own all of %v", e.by(), e.field()) }}

var ownerUnprotected = &effectRule{finding.Rule{
	Name: "owner-unprotected", Severity: report.SeverityWarning,
	Title: "Fields lose the owner that protects them.",
	Why:   "Until its next apply, another manager overwrites the fields without a conflict, and what the owner leaves out of that apply stays.",
	Fix:   "have every owner apply its unchanged manifest right after the change, before any other manager writes",
}, func(e Effect) text.Text {
	return text.New("%v no longer protects what it owns in %v", e.by(), e.field())
}}

// owners compares who protects the values of the object before and after the write.
func (t *trial) owners(stored map[string]any) {
	before, after := managedfields.Of(t.Live), managedfields.Of(stored)
	lost, roles := t.lost(before, after), after.Roles()
	was, is := guardsOf(t.was, t.Live), guardsOf(t.is, stored)
	for _, e := range before.Readable() {
		// An entry of another version than the object's has other paths.
		if !lost[e.Role] && e.Subresource != "scale" && e.APIVersion == t.Target.APIVersion {
			t.owner(e, roles[e.Role], was, is)
		}
	}
}

// lost notes the entries that are not there any more.
func (t *trial) lost(before, after managedfields.Owners) map[managedfields.Role]bool {
	lost := map[managedfields.Role]bool{}
	for _, e := range before.Readable() {
		there := slices.ContainsFunc(after.Entries, func(o managedfields.Entry) bool { return o.Role == e.Role })
		if there || e.Set.Empty() {
			continue
		}
		lost[e.Role] = true
		t.effect(Effect{Rule: entryLost, Manager: e.Manager, Detail: string(e.Operation) + " at " + e.APIVersion})
	}
	return lost
}

// owner compares which values one manager protects.
func (t *trial) owner(e managedfields.Entry, after *fieldpath.Set, was, is map[string]fieldpath.Path) {
	if after == nil {
		return
	}
	for _, at := range slices.Sorted(maps.Keys(is)) {
		old, there := was[at]
		owned, owns := there && e.Set.Has(old), after.Has(is[at])
		switch {
		case owned && !owns:
			t.effect(Effect{Rule: ownerUnprotected, Field: general(t.was, old), Manager: e.Manager})
		case owns && !owned && (e.Set.Has(is[at]) || !managedfields.Below(e.Set, is[at]).Empty()):
			t.effect(Effect{Rule: ownerWidened, Field: general(t.is, is[at]), Manager: e.Manager})
		}
	}
}

// guardsOf gives for each value of an object, by its place, the path that keeps others
// from changing it for those who own it: its own, or that of the atomic field that it
// is part of. Metadata is left out, which no definition changes.
func guardsOf(shape managedfields.Shape, object map[string]any) map[string]fieldpath.Path {
	g := guards{}
	for key, v := range object {
		if key != "metadata" && key != "apiVersion" && key != "kind" {
			g.walk(shape.Field(key), v, fieldpath.Path{fieldpath.FieldNameElement(key)}, "."+key, false)
		}
	}
	return g
}

type guards map[string]fieldpath.Path

// walk goes to the values; inside of an atomic field the path stays.
func (g guards) walk(shape managedfields.Shape, v any, path fieldpath.Path, at string, inside bool) {
	below := func(pe fieldpath.PathElement) fieldpath.Path {
		if inside {
			return path
		}
		return append(path.Copy(), pe)
	}
	switch v := v.(type) {
	case map[string]any:
		inside = inside || shape.AtomicMap()
		for key, item := range v {
			g.walk(shape.Field(key), item, below(fieldpath.FieldNameElement(key)), at+"."+key, inside)
		}
	case []any:
		inside = inside || !shape.Associative()
		for i, item := range v {
			element, ok := fieldpath.PathElement{}, inside
			if !ok {
				element, ok = shape.Element(item)
			}
			if ok {
				g.walk(shape.Item(), item, below(element), fmt.Sprintf("%s[%d]", at, i), inside)
			}
		}
	default:
		g[at] = path
	}
}

// general is a path without the items and keys of one object.
func general(shape managedfields.Shape, path fieldpath.Path) string {
	var b strings.Builder
	for _, pe := range path {
		if pe.FieldName != nil && !shape.Open() {
			b.WriteString("." + *pe.FieldName)
		} else {
			b.WriteString(each)
		}
		shape = shape.Child(pe)
	}
	return b.String()
}
