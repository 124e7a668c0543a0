package impact

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/schema"
	"github.com/ssactl/ssactl/internal/report"
)

// compare compares all fields of a version that both sides serve.
func (s *subject) compare(version string) error {
	kind := s.WithVersion(version)
	before, err := schema.Ask(s.Before, schema.Question{Kind: kind, Depth: schema.Unlimited})
	if err != nil {
		return fmt.Errorf("the old schema of %s: %w", kind, err)
	}
	after, err := schema.Ask(s.After, schema.Question{Kind: kind, Depth: schema.Unlimited})
	if err != nil {
		return fmt.Errorf("the new schema of %s: %w", kind, err)
	}
	c := comparison{subject: s, version: version}
	c.fields(before.Field, after.Field)
	c.news()
	if s.Old != nil && s.New != nil {
		c.validation()
	}
	return nil
}

// comparison is one version while it is compared.
type comparison struct {
	*subject
	version string
	// added are the fields that only the new side has.
	added []string
}

// change records a change of a field, at the line of one of the keywords.
func (c *comparison) change(rule, field string, fact report.Fact, keywords ...string) {
	c.find(change{rule: rule, fields: []string{field}, fact: fact, versions: []string{c.version}, source: c.lineOf(c.version, field, keywords...)})
}

// fields compares those below a field.
func (c *comparison) fields(before, after schema.Field) {
	for _, f := range before.Fields {
		if before.Field == "" && slices.Contains([]string{".metadata", ".apiVersion", ".kind"}, f.Field) {
			continue
		}
		i := slices.IndexFunc(after.Fields, func(o schema.Field) bool { return o.Name() == f.Name() })
		if i < 0 {
			c.removed(f, after)
			continue
		}
		c.field(f, after.Fields[i])
	}
	for _, f := range after.Fields {
		if !slices.ContainsFunc(before.Fields, func(o schema.Field) bool { return o.Name() == f.Name() }) {
			c.fresh(f)
		}
	}
}

func (c *comparison) removed(f, parent schema.Field) {
	if v, ok := c.New.version(c.version); ok {
		if _, props := v.schemaOf(f.Field); props["x-kubernetes-preserve-unknown-fields"] == true {
			c.change(FieldRemoved, f.Field, report.Fact{Kind: FieldUnknown})
			return
		}
	}
	c.change(FieldRemoved, f.Field, report.Fact{Kind: FieldGone, Fields: nearest(f, parent)})
}

// nearest names a field that looks like the one that is gone.
func nearest(f, parent schema.Field) []string {
	for _, o := range parent.Fields {
		if strings.EqualFold(o.Name(), f.Name()) || strings.EqualFold(o.Name(), f.Name()+"s") || strings.EqualFold(o.Name()+"s", f.Name()) {
			return []string{o.Field}
		}
	}
	return nil
}

func (c *comparison) fresh(f schema.Field) {
	c.added = append(c.added, f.Field)
	if f.Required && f.Default == nil && !c.builtin() {
		c.change(ValidationTight, f.Field, report.Fact{Kind: NewRequired})
	}
}

// news are the new fields of a version, in one finding.
func (c *comparison) news() {
	if len(c.added) == 0 {
		return
	}
	c.find(change{rule: FieldAdded, fields: c.added, fact: report.Fact{Kind: FieldsNew, Count: len(c.added)}, versions: []string{c.version}, source: c.lineOf(c.version, c.added[0])})
}

// field compares a field that both sides have.
func (c *comparison) field(before, after schema.Field) {
	if was, is := typeOf(before), typeOf(after); was != is && !widens(was, is) {
		c.change(TypeChanged, before.Field, report.Fact{Kind: OtherType, Is: is, Want: was}, "type", "items", "additionalProperties")
		return
	}
	c.merge(before, after)
	c.defaults(before, after)
	// What is published as required of a built-in kind is not what is validated.
	if after.Required && !before.Required && after.Default == nil && !c.builtin() {
		c.change(ValidationTight, before.Field, report.Fact{Kind: BecomesRequired})
	}
	c.fields(before, after)
}

func typeOf(f schema.Field) string {
	if f.Of == "" {
		return f.Type
	}
	return f.Type + " of " + f.Of
}

// widens reports whether all values of a type are of another one.
func widens(was, is string) bool {
	return is == "any" || was == "integer" && (is == "number" || is == "int-or-string") || was == "string" && is == "int-or-string"
}

// merge compares how writes of several managers come together.
func (c *comparison) merge(before, after schema.Field) {
	was, is := how(before), how(after)
	inside := func(f schema.Field) bool {
		return len(f.Fields) > 0 && f.Fields[0].Inside != "" && f.Fields[0].Inside != f.Inside && f.Fields[0].Inside != f.Field
	}
	rule, keyword := "", []string{"x-kubernetes-list-type", "x-kubernetes-map-type"}
	switch {
	case before.Merge == schema.Scalar || after.Merge == schema.Scalar:
	case reflect.DeepEqual(was, is) && inside(before) != inside(after):
		rule, was, is = BecomesGranular, report.Fact{Kind: ItemAtomic}, report.Fact{Kind: ItemGranular}
		if inside(after) {
			rule, was, is = BecomesAtomic, is, was
		}
	case reflect.DeepEqual(was, is):
	case after.Merge == schema.Atomic:
		rule = BecomesAtomic
	case before.Merge == schema.Atomic:
		rule = BecomesGranular
	case before.Merge != after.Merge:
		rule = ListTypeChanged
	default:
		rule, keyword = ListKeysChanged, []string{"x-kubernetes-list-map-keys"}
	}
	if rule != "" {
		c.change(rule, before.Field, report.Fact{Kind: Merges, Parts: []report.Fact{is, was}}, keyword...)
	}
}

// how is how a field merges.
func how(f schema.Field) report.Fact {
	switch f.Merge {
	case schema.Keyed:
		keyed := report.Fact{Kind: KeyedBy}
		for _, k := range f.Keys {
			keyed.Others = append(keyed.Others, k.Name)
		}
		return keyed
	case schema.Set:
		return report.Fact{Kind: IsSet}
	case schema.Atomic:
		return report.Fact{Kind: IsAtomic}
	case schema.Granular:
		return report.Fact{Kind: IsGranular}
	}
	return report.Fact{Kind: IsValue}
}

// defaults compares what the server fills in.
func (c *comparison) defaults(before, after schema.Field) {
	switch was, is := before.Default, after.Default; {
	case is != nil && was == nil && after.Inside != "":
		c.change(DefaultInAtomic, after.Field, report.Fact{Kind: DefaultInside, After: value(*is), Fields: []string{after.Inside}}, "default")
	case is != nil && was == nil:
		c.change(DefaultAdded, after.Field, report.Fact{Kind: DefaultNew, After: value(*is)}, "default")
	case is == nil && was != nil:
		c.change(DefaultRemoved, after.Field, report.Fact{Kind: DefaultGone, Before: value(*was)})
	case is != nil && !reflect.DeepEqual(*was, *is):
		c.change(DefaultChanged, after.Field, report.Fact{Kind: DefaultOther, Before: value(*was), After: value(*is)}, "default")
	}
}

func value(v any) report.Value { return report.Value{Value: v} }

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
