package impact

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership/fields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var validationTightened = finding.Rule{
	Name: "validation-tightened", Severity: report.SeverityWarning,
	Title: "The validation is tightened.",
	Why:   "Manifests that were accepted may be rejected. Live objects that do not pass stay as they are, and may be written as long as the values in question do not change (ratcheting).",
}

var unknownPruned = finding.Rule{
	Name: "unknown-fields-pruned", Severity: report.SeverityWarning,
	Title: "Unknown fields are no longer kept.",
	Why:   "What the schema does not name is dropped from live objects, and an apply with it is rejected.",
	Fix:   "name all fields that are in use in the schema",
}

var unknownKept = finding.Rule{
	Name: "unknown-fields-kept", Severity: report.SeverityNote,
	Title: "Unknown fields are kept.",
	Why:   "Misspelled fields are then stored without a word.",
}

// accepted compares which values the schemas of a field accept, and of what is below it.
func (c *comparison) accepted(before, after map[string]any, field string) {
	if before == nil || after == nil {
		return
	}
	shown := cmp.Or(field, "the object")
	const unknown = "x-kubernetes-preserve-unknown-fields"
	switch was, is := before[unknown] == true, after[unknown] == true; {
	case was && !is:
		c.change(unknownPruned, shown, text.New("keeps no unknown fields any more"), "type")
	case is && !was:
		c.change(unknownKept, shown, text.New("keeps unknown fields"), unknown)
	}
	if what, where := tightened(before, after); len(what) > 0 {
		c.changeWith(
			validationTightened,
			shown,
			text.New("accepts less: %v", text.Join(what, "; ")),
			text.New("check manifests and live objects (--live)"),
			where...)
	}
	was, _ := before["properties"].(map[string]any)
	is, _ := after["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if field == "" && name == "metadata" {
			continue
		}
		a, _ := was[name].(map[string]any)
		b, _ := is[name].(map[string]any)
		c.accepted(a, b, field+"."+name)
	}
	for _, key := range []string{"items", "additionalProperties"} {
		a, _ := before[key].(map[string]any)
		b, _ := after[key].(map[string]any)
		c.accepted(a, b, field+each)
	}
}

// keyword is one that a value has to satisfy, with what of it is tighter; nothing where
// nothing is.
type keyword struct {
	name    string
	tighter func(was, is any) text.Text
}

var keywords = []keyword{
	{"maximum", most}, {"maxLength", most}, {"maxItems", most}, {"maxProperties", most},
	{"minimum", greatest}, {"minLength", least}, {"minItems", least}, {"minProperties", least},
	{"exclusiveMaximum", becomesTrue}, {"exclusiveMinimum", becomesTrue}, {"uniqueItems", becomesTrue},
	{"nullable", func(was, is any) text.Text { return when(was == true && is != true, text.New("false")) }},
	{"pattern", other}, {"format", other}, {"multipleOf", other},
	{"enum", fewer}, {"x-kubernetes-validations", stricter},
	{"not", other}, {"allOf", other}, {"anyOf", other}, {"oneOf", other},
}

// tightened are the keywords of a schema that let it accept less, with their names.
func tightened(before, after map[string]any) (what []text.Text, where []string) {
	for _, k := range keywords {
		// Every int-or-string has that anyOf, or may have.
		if reflect.DeepEqual(before[k.name], after[k.name]) ||
			k.name == "anyOf" && after["x-kubernetes-int-or-string"] == true {
			continue
		}
		if tighter := k.tighter(before[k.name], after[k.name]); !tighter.IsZero() {
			what, where = append(what, text.New("%v %v", text.Name(k.name), tighter)), append(where, k.name)
		}
	}
	return what, where
}

func most(was, is any) text.Text {
	return when(is != nil && (was == nil || number(is) < number(was)), from(was, is))
}

func greatest(was, is any) text.Text {
	return when(is != nil && (was == nil || number(is) > number(was)), from(was, is))
}

// least is of what counts: without the keyword, the least is nothing.
func least(was, is any) text.Text {
	return when(is != nil && number(is) > number(was), from(was, is))
}

func becomesTrue(_, is any) text.Text {
	return when(is == true, text.New("true"))
}

func other(was, is any) text.Text { return when(is != nil, from(was, is)) }

// from is what a keyword is, and was.
func from(was, is any) text.Text {
	if was == nil {
		return text.New("%v is new", value(is))
	}
	return text.New("%v instead of %v", value(is), value(was))
}

// fewer are values that are no longer accepted.
func fewer(was, is any) text.Text {
	before, had := was.([]any)
	after, has := is.([]any)
	if !has {
		return text.Text{}
	}
	if !had {
		return text.New("%v is new", value(is))
	}
	var gone []string
	for _, v := range before {
		if !slices.ContainsFunc(after, func(o any) bool { return reflect.DeepEqual(v, o) }) {
			gone = append(gone, fields.JSON(v))
		}
	}
	return when(len(gone) > 0, text.New("without %v", text.Said(strings.Join(gone, ", "))))
}

// stricter are rules of CEL that are new.
func stricter(was, is any) text.Text {
	before, _ := was.([]any)
	after, _ := is.([]any)
	var fresh []string
	for _, v := range after {
		rule := fieldtree.Value(asMap(v), "rule")
		if !slices.ContainsFunc(before, func(o any) bool { return fieldtree.Value(asMap(o), "rule") == rule }) {
			fresh = append(fresh, fmt.Sprint(rule))
		}
	}
	return when(
		len(fresh) > 0,
		text.New("%v %v new", text.Said(strings.Join(fresh, " and ")), text.Agree(len(fresh), "is", "are")),
	)
}

func asMap(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func when(holds bool, says text.Text) text.Text {
	if holds {
		return says
	}
	return text.Text{}
}

func number(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return 0
}
