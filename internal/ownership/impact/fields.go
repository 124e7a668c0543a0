package impact

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/fields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var fieldRemoved = finding.Rule{
	Name: "field-removed", Severity: report.SeverityWarning,
	Title: "A field is removed.",
	Why:   "An apply of a manifest that has it is rejected; other writes lose it without a word.",
}

var fieldAdded = finding.Rule{
	Name: "field-added", Severity: report.SeverityNote,
	Title: "Fields are new.",
	Why:   "They have no owner yet.",
}

var typeChanged = finding.Rule{
	Name: "type-changed", Severity: report.SeverityWarning,
	Title: "A field is of another type.",
	Why:   "Manifests and live objects with a value of the old type are rejected.",
	Fix:   "change manifests together with the definition",
}

var becomesAtomic = finding.Rule{
	Name: "becomes-atomic", Severity: report.SeverityWarning,
	Title: "A field becomes atomic.",
	Why:   "From the next write on, a manager that owns a part of it owns all of it. Two field managers can then only apply the same value, and one that forces replaces the other's.",
	Fix:   "let one manager own the field, and take it out of the manifests of all others",
}

var becomesGranular = finding.Rule{
	Name: "becomes-granular", Severity: report.SeverityWarning,
	Title: "A field becomes granular.",
	Why:   "Who owns the whole keeps it, which protects nothing that is in it: until that manager's next apply, others overwrite its parts without a conflict, and what it leaves out is not removed.",
	Fix:   "have every owner apply its unchanged manifest right after the change, before any other manager writes",
}

var listTypeChanged = finding.Rule{
	Name: "list-type-changed", Severity: report.SeverityWarning,
	Title: "The items of a list are identified in another way.",
	Why:   "Managed fields name the items as they were identified before. The server does not rewrite that: what is owned so protects nothing any more.",
	Fix:   "have every owner apply its unchanged manifest right after the change, before any other manager writes",
}

var listKeysChanged = finding.Rule{
	Name: "list-keys-changed", Severity: report.SeverityWarning,
	Title: "The keys of a keyed list are others.",
	Why:   "Managed fields name items by their old keys. The server does not rewrite that: what is owned so protects nothing any more. Items that share the new keys, or lack them, make every apply fail.",
	Fix:   "give every item the new keys before the change, and have every owner apply right after it",
}

var defaultInAtomic = finding.Rule{
	Name: "default-in-atomic", Severity: report.SeverityWarning,
	Title: "A default is added inside an atomic field.",
	Why:   "The stored value of the whole field then differs from that of manifests without the default: another field manager that applies the same manifest conflicts over all of it.",
	Fix:   "write the default in the manifests",
}

var defaultChanged = finding.Rule{
	Name: "default-changed", Severity: report.SeverityWarning,
	Title: "A default is another value.",
	Why:   "Objects that have the old default stored keep it, unowned; new ones get the new default. Of one manifest there are then two results.",
	Fix:   "write the value that is meant in the manifests",
}

var defaultAdded = finding.Rule{
	Name: "default-added", Severity: report.SeverityNote,
	Title: "A default is added.",
	Why:   "The API server adds it to every object that it reads, without an owner.",
}

var defaultRemoved = finding.Rule{
	Name: "default-removed", Severity: report.SeverityNote,
	Title: "A default is removed.",
	Why:   "Objects that have it stored keep it, unowned; new ones lack it.",
	Fix:   "write the value in the manifests that rely on it",
}

// compare compares all fields of a version that both sides serve.
func (s *subject) compare(version string) error {
	kind := s.WithVersion(version)
	before, err := fields.Ask(s.Before, fields.Question{Kind: kind, Depth: fields.Unlimited})
	if err != nil {
		return fmt.Errorf("the old schema of %s: %w", kind, err)
	}
	after, err := fields.Ask(s.After, fields.Question{Kind: kind, Depth: fields.Unlimited})
	if err != nil {
		return fmt.Errorf("the new schema of %s: %w", kind, err)
	}
	c := comparison{subject: s, version: version}
	c.fields(before.Field, after.Field)
	c.news()
	if s.Old != nil && s.New != nil {
		before, _ := s.Old.version(version)
		after, _ := s.New.version(version)
		c.accepted(before.root, after.root, "")
	}
	return nil
}

// writeIt is what to do about a field that becomes required.
var writeIt = text.New("write it in all manifests")

// comparison is one version while it is compared.
type comparison struct {
	*subject
	version string
	// added are the fields that only the new side has.
	added []string
}

// change records a change of a field, at the line of one of the keywords.
func (c *comparison) change(rule finding.Rule, field string, says text.Text, keywords ...string) {
	c.changeWith(rule, field, says, text.Text{}, keywords...)
}

// changeWith is change with what to do, which the rule does not say.
func (c *comparison) changeWith(rule finding.Rule, field string, says, fix text.Text, keywords ...string) {
	c.find(
		change{
			rule:     rule,
			fields:   []string{field},
			says:     says,
			fix:      fix,
			versions: []string{c.version},
			source:   c.lineOf(c.version, field, keywords...),
		},
	)
}

// fields compares those below a field.
func (c *comparison) fields(before, after fields.Field) {
	for _, f := range before.Fields {
		if before.Field == "" && slices.Contains([]string{".metadata", ".apiVersion", ".kind"}, f.Field) {
			continue
		}
		i := slices.IndexFunc(after.Fields, func(o fields.Field) bool { return o.Name() == f.Name() })
		if i < 0 {
			c.removed(f, after)
			continue
		}
		c.field(f, after.Fields[i])
	}
	for _, f := range after.Fields {
		if slices.ContainsFunc(before.Fields, func(o fields.Field) bool { return o.Name() == f.Name() }) {
			continue
		}
		c.added = append(c.added, f.Field)
		if f.Required && f.Default == nil && !c.builtin() {
			c.changeWith(validationTightened, f.Field, text.New("is new and required"), writeIt)
		}
	}
}

func (c *comparison) removed(f, parent fields.Field) {
	if v, ok := c.New.version(c.version); ok {
		if _, props := v.schemaOf(f.Field); props["x-kubernetes-preserve-unknown-fields"] == true {
			c.changeWith(
				fieldRemoved,
				f.Field,
				text.New("is removed; it is kept as an unknown field"),
				text.New("check who relied on its defaults and validation"),
			)
			return
		}
	}
	fix := text.New("take it out of manifests before the change")
	if i := slices.IndexFunc(parent.Fields, func(o fields.Field) bool {
		return strings.EqualFold(o.Name(), f.Name()) || strings.EqualFold(o.Name(), f.Name()+"s") ||
			strings.EqualFold(o.Name()+"s", f.Name())
	}); i >= 0 {
		fix = fix.And("; ", text.New("%v may be meant instead", text.Path(parent.Fields[i].Field)))
	}
	c.changeWith(fieldRemoved, f.Field, text.New("is removed"), fix)
}

// news are the new fields of a version, in one finding.
func (c *comparison) news() {
	if len(c.added) == 0 {
		return
	}
	says := text.New("is new")
	if n := len(c.added); n > 1 {
		says = text.New("%v", text.Count(n, "new field"))
	}
	c.find(
		change{
			rule:     fieldAdded,
			fields:   c.added,
			says:     says,
			versions: []string{c.version},
			source:   c.lineOf(c.version, c.added[0]),
		},
	)
}

// field compares a field that both sides have.
func (c *comparison) field(before, after fields.Field) {
	if was, is := typeOf(before), typeOf(after); was != is && !widens(was, is) {
		c.change(
			typeChanged,
			before.Field,
			text.New("is %v, and was %v", text.Name(is), text.Name(was)),
			"type",
			"items",
			"additionalProperties",
		)
		return
	}
	c.merge(before, after)
	c.defaults(before, after)
	// What is published as required of a built-in kind is not what is validated.
	if after.Required && !before.Required && after.Default == nil && !c.builtin() {
		c.changeWith(validationTightened, before.Field, text.New("becomes required"), writeIt)
	}
	c.fields(before, after)
}

func typeOf(f fields.Field) string {
	if f.Of == "" {
		return f.Type
	}
	return f.Type + " of " + f.Of
}

// widens reports whether all values of a type are of another one.
func widens(was, is string) bool {
	return is == "any" || was == "integer" && (is == "number" || is == "int-or-string") ||
		was == "string" && is == "int-or-string"
}

// merge compares how writes of several managers come together.
func (c *comparison) merge(before, after fields.Field) {
	was, is := how(before), how(after)
	inside := func(f fields.Field) bool {
		return len(f.Fields) > 0 && f.Fields[0].Inside != "" && f.Fields[0].Inside != f.Inside &&
			f.Fields[0].Inside != f.Field
	}
	var rule finding.Rule
	says := text.New("is %v, and was %v", is, was)
	keyword := []string{"x-kubernetes-list-type", "x-kubernetes-map-type"}
	switch {
	case before.Merge == fields.Scalar || after.Merge == fields.Scalar:
	case reflect.DeepEqual(was, is) && inside(before) != inside(after):
		rule, says = becomesGranular, text.New("has granular items, and had atomic items")
		if inside(after) {
			rule, says = becomesAtomic, text.New("has atomic items, and had granular items")
		}
	case reflect.DeepEqual(was, is):
	case after.Merge == fields.Atomic:
		rule = becomesAtomic
	case before.Merge == fields.Atomic:
		rule = becomesGranular
	case before.Merge != after.Merge:
		rule = listTypeChanged
	default:
		rule, keyword = listKeysChanged, []string{"x-kubernetes-list-map-keys"}
	}
	if rule.Name != "" {
		c.change(rule, before.Field, says, keyword...)
	}
}

// how is how a field merges.
func how(f fields.Field) text.Text {
	switch f.Merge {
	case fields.Keyed:
		var keys []string
		for _, k := range f.Keys {
			keys = append(keys, k.Name)
		}
		return text.New("a list keyed by %v", text.Name(strings.Join(keys, ", ")))
	case fields.Set:
		return text.New("a set")
	case fields.Atomic:
		return text.New("atomic")
	case fields.Granular:
		return text.New("granular")
	}
	return text.New("one value")
}

// defaults compares what the server fills in.
func (c *comparison) defaults(before, after fields.Field) {
	switch was, is := before.Default, after.Default; {
	case is != nil && was == nil && after.Inside != "":
		c.change(
			defaultInAtomic,
			after.Field,
			text.New("gets the default %v, and is part of %v, which is atomic", value(*is), text.Path(after.Inside)),
			"default",
		)
	case is != nil && was == nil:
		c.change(defaultAdded, after.Field, text.New("gets the default %v", value(*is)), "default")
	case is == nil && was != nil:
		c.change(defaultRemoved, after.Field, text.New("has no default any more; it was %v", value(*was)))
	case is != nil && !reflect.DeepEqual(*was, *is):
		c.change(
			defaultChanged,
			after.Field,
			text.New("has the default %v instead of %v", value(*is), value(*was)),
			"default",
		)
	}
}

// value quotes one of a schema as JSON, whole.
func value(v any) text.Arg { return text.Said(fields.JSON(v)) }
