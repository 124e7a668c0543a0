package cmd

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// definition is what a page says of a JSON Schema.
type definition struct {
	ID                   string `json:"$id"`
	Ref                  string `json:"$ref"`
	Type, Description    string
	Properties           map[string]definition
	AdditionalProperties json.RawMessage
	Items                *definition
	Required             []string
	Definitions          map[string]definition `json:"$defs"`
	AllOf                []struct {
		If struct {
			Properties struct{ Kind struct{ Enum []string } }
		}
		Then definition
	}
}

// UnmarshalJSON takes a schema that is true or false too: any value, or none.
func (d *definition) UnmarshalJSON(text []byte) error {
	if string(text) == "true" || string(text) == "false" {
		return nil
	}
	type plain definition
	return json.Unmarshal(text, (*plain)(d))
}

// reportPage describes docs/report.schema.json: a section a kind, and below it each
// type that is not in one before.
func reportPage(t *testing.T) string {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "report.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema definition
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	out.WriteString(generated("The report", "report.schema.json"))
	fmt.Fprintf(
		&out,
		"What `-o report` writes, whatever the command, as JSON. The schema that programs check\nit with is [report.schema.json](../report.schema.json), published as\n`%s`: the version in its path is that of\n`apiVersion`. New keys may be added; none is renamed or gets another type without a new\nversion. Keys in bold are always there.\n",
		schema.ID,
	)
	seen := map[string]bool{}
	for _, kind := range schema.AllOf {
		fmt.Fprintf(
			&out,
			"\n## %s\n\nkind: %s\n",
			kind.If.Properties.Kind.Enum[0],
			"`"+strings.Join(kind.If.Properties.Kind.Enum, "`, `")+"`",
		)
		for _, name := range reached(schema, referred(kind.Then.Ref), seen) {
			out.WriteString(definitionSection(name, schema.Definitions[name]))
		}
	}
	return out.String()
}

// reached are the definitions that one leads to and that were not seen before, itself
// first.
func reached(schema definition, name string, seen map[string]bool) []string {
	if seen[name] {
		return nil
	}
	seen[name] = true
	out, d := []string{name}, schema.Definitions[name]
	for _, key := range slices.Sorted(maps.Keys(d.Properties)) {
		for _, next := range d.Properties[key].refs() {
			out = append(out, reached(schema, next, seen)...)
		}
	}
	return out
}

func (d definition) refs() []string {
	switch {
	case d.Ref != "":
		return []string{referred(d.Ref)}
	case d.Items != nil:
		return d.Items.refs()
	case d.values() != nil:
		return d.values().refs()
	}
	return nil
}

// values is the schema of the values of a map; nil for what is none.
func (d definition) values() *definition {
	if d.Type != "object" || d.Properties != nil || len(d.AdditionalProperties) == 0 {
		return nil
	}
	var values definition
	if json.Unmarshal(d.AdditionalProperties, &values) != nil {
		return nil
	}
	return &values
}

func referred(ref string) string { return strings.TrimPrefix(ref, "#/$defs/") }

func definitionSection(name string, d definition) string {
	var out strings.Builder
	fmt.Fprintf(&out, "\n### %s\n\n", name)
	if d.Description != "" {
		out.WriteString(escapeMarkdown(d.Description) + "\n\n")
	}
	if len(d.Properties) == 0 {
		return out.String() + "Type: " + d.shown() + ".\n"
	}
	var rows, others []string
	for _, key := range slices.Sorted(maps.Keys(d.Properties)) {
		shown, what := "`"+key+"`", d.Properties[key]
		if slices.Contains(d.Required, key) {
			shown = "**" + shown + "**"
		}
		if what.Description == "" {
			others = append(others, shown+" ("+what.shown()+")")
			continue
		}
		rows = append(rows, row(shown, what.shown(), withKeys(what.Description)))
	}
	if rows != nil {
		out.WriteString(header("key", "type", "what it is") + strings.Join(rows, ""))
	}
	switch {
	case others != nil && rows != nil:
		out.WriteString("\nAnd " + strings.Join(others, ", ") + ".\n")
	case others != nil:
		out.WriteString("Keys: " + strings.Join(others, ", ") + ".\n")
	}
	return out.String()
}

// shown is the type in words, with a link to its section.
func (d definition) shown() string {
	switch {
	case d.Ref != "":
		name := referred(d.Ref)
		return fmt.Sprintf("[%s](#%s)", name, strings.ToLower(strings.ReplaceAll(name, ".", "")))
	case d.Items != nil:
		return "list of " + d.Items.shown()
	case d.values() != nil:
		return "map of " + d.values().shown()
	case d.Type == "":
		return "any"
	}
	return d.Type
}

// withKeys escapes a description but for the marks of the keys in it.
func withKeys(text string) string {
	return strings.ReplaceAll(escapeMarkdown(text), "\\`", "`")
}
