package schema

import (
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/ownership/fields"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
)

// layOut shows what Server-Side Apply does with a field, and with those below it.
func layOut(d fields.Document, o page.Options) model.Document {
	f := d.Field
	s := model.Section{
		Title:  model.Textf("%v%v: %v", model.Strong.Of(d.Of.Kind), model.Field.Of(f.Field), typeText(f)),
		Weight: model.Change,
		Blocks: []model.Block{schemaFacts(d), model.Paragraph{Text: twoManagers(f), Apart: true}},
	}
	if len(f.Writers) > 0 {
		s.Blocks = append(s.Blocks, page.Part("Written in a default cluster", page.Sentences(writerTexts(f.Writers))))
	}
	if len(f.Fields) > 0 {
		title := "Fields"
		if f.Type == "list" {
			title = "Fields of an item"
		}
		s.Blocks = append(s.Blocks, page.Part(title, model.Tree{Nodes: schemaNodes(f.Fields)}))
	}
	return model.Document{
		Head:     model.Head{Title: "Merge schema", Server: d.Server.Version, Made: o.Made(), Total: 1},
		Sections: []model.Section{s},
		Tail:     model.Tail{Blocks: otherKinds(d.Others)},
	}
}

func otherKinds(others []fields.Kind) []model.Block {
	var texts []model.Text
	for _, k := range others {
		texts = append(
			texts,
			model.Textf("%v of %v has the same name: --api-version %v", k.Kind, k.APIVersion, model.Code.Of(k.APIVersion)),
		)
	}
	if texts == nil {
		return nil
	}
	return []model.Block{page.Sentences(texts)}
}

// schemaFacts are what is published and stored of the field itself.
func schemaFacts(d fields.Document) model.Table {
	f := d.Field
	t := model.Table{Columns: make([]model.Column, 2)}
	add := func(name string, text model.Text) {
		if len(text) > 0 {
			t.Rows = append(t.Rows, []model.Text{{model.Faint.Of(name)}, text})
		}
	}
	add("API version", model.Say(d.Of.APIVersion))
	add("merge", mergeText(f))
	add("keys", listKeys(f.Keys))
	if f.Inside != "" {
		add("part of", model.Textf("%v, which is atomic", model.Field.Of(f.Inside)))
	}
	if f.Required {
		add("required", model.Say("yes"))
	}
	if f.Default != nil {
		add("default", model.Textf("%v, where the parent is there", model.Value.Of(fields.JSON(*f.Default))))
	}
	add("format", sayIf(f.Format))
	add("stored", sayIf(schemaStored(f)))
	if by := clientSideKey(f); by != "" {
		add("client-side", model.Textf("items are merged by %v", model.Field.Of(by)))
	}
	return t
}

func sayIf(text string) model.Text {
	if text == "" {
		return nil
	}
	return model.Say(text)
}

// typeText is a type in words: "list of objects".
func typeText(f fields.Field) model.Text {
	switch f.Type {
	case "list":
		return model.Say("list of " + plural(f.Of))
	case "map":
		return model.Say("map of " + plural(f.Of))
	case "any":
		return model.Say("any value")
	}
	return model.Say(f.Type)
}

func plural(of string) string {
	switch of {
	case "any", "":
		return "any values"
	case "int-or-string":
		return "integers or strings"
	case "quantity":
		return "quantities"
	}
	return of + "s"
}

// mergeWords are the ways to merge in words.
var mergeWords = map[fields.Merge]string{
	fields.Scalar:   "one value",
	fields.Granular: "granular",
	fields.Keyed:    "keyed list",
	fields.Set:      "set",
	fields.Atomic:   "atomic",
}

func mergeText(f fields.Field) model.Text {
	marker := "no marker, the default"
	if f.Marker != "" {
		marker = f.Marker
	}
	if f.Merge == fields.Scalar || f.Type == "any" {
		return model.Say(mergeWords[f.Merge])
	}
	return model.Textf("%v (%v)", model.Strong.Of(mergeWords[f.Merge]), marker)
}

func listKeys(keys []fields.Key) model.Text {
	var parts []model.Text
	for _, k := range keys {
		switch {
		case k.Required:
			parts = append(parts, model.Textf("%v (required)", model.Field.Of(k.Name)))
		case k.Default != nil:
			parts = append(parts, model.Textf("%v (default %v)", model.Field.Of(k.Name), fields.JSON(*k.Default)))
		default:
			parts = append(parts, model.Textf("%v (optional)", model.Field.Of(k.Name)))
		}
	}
	return model.Join(parts, ", ")
}

// spellings say how the server stores values that can be spelled in several ways.
var spellings = map[string]string{
	"quantity":      "in canonical form: 1024Mi becomes 1Gi, 1000m becomes 1, 0.5 becomes 500m",
	"duration":      "in canonical form: 60s becomes 1m0s, 4h becomes 4h0m0s",
	"time":          "as RFC 3339 in UTC, without fractions of a second",
	"int-or-string": "as it is written: 80 and \"80\" are two values",
}

func schemaStored(f fields.Field) string {
	var parts []string
	if s := spellings[f.Type]; s != "" && f.Zero != "" {
		parts = append(parts, s)
	}
	switch f.Zero {
	case "Dropped":
		parts = append(parts, zeroWord(f)+" is not stored; applying it still claims the field")
	case "Written":
		if !f.Required {
			parts = append(parts, zeroWord(f)+" where nobody sets it")
		}
	}
	if f.Reset {
		parts = append(parts, "only through a subresource: other writes leave it as it is, and own nothing of it")
	}
	return strings.Join(parts, "; ")
}

// zeroWord is the zero value of a type.
func zeroWord(f fields.Field) string {
	switch f.Type {
	case "boolean":
		return "false"
	case "integer", "number", "quantity":
		return "0"
	case "list":
		return "an empty list"
	case "map", "object":
		return "an empty map"
	}
	return "an empty value"
}

// clientSideKey is by what a client-side apply merges the items of a list, where that is not
// by their keys; empty elsewhere.
func clientSideKey(f fields.Field) string {
	var keys []string
	for _, k := range f.Keys {
		keys = append(keys, k.Name)
	}
	if strings.Join(keys, ",") == f.PatchKey {
		return ""
	}
	return f.PatchKey
}

// twoManagers says what the way to merge means for two field managers.
func twoManagers(f fields.Field) model.Text {
	switch {
	case f.Reset:
		return model.Say(
			"An apply to the object cannot set the field: apply with --subresource, and leave it out of manifests.",
		)
	case f.Inside != "":
		return model.Textf(
			"The field has no owner of its own: it belongs to %v. Two field managers that apply different values anywhere in there conflict over all of it.",
			model.Field.Of(f.Inside),
		)
	case f.Merge == fields.Keyed:
		return model.Textf(
			"Two field managers can each own items, and fields of the same item. They conflict where both apply other values to one field of one item. A manifest with two items of the same keys is rejected.",
		)
	case f.Merge == fields.Set:
		return model.Say(
			"Two field managers can each own values, and share them. They never conflict; a value goes when its last owner drops it. A manifest with a value twice is rejected.",
		)
	case f.Merge == fields.Granular && f.Type == "map":
		return model.Say("Two field managers can each own keys. They conflict where both apply other values to one key.")
	case f.Merge == fields.Granular:
		return model.Say("Two field managers can each own fields. They conflict where both apply other values to one field.")
	case f.Merge == fields.Atomic && f.Type == "list":
		return model.Say(
			"The list is one field. Two field managers can only apply it alike: another item, or another order, is a conflict, and with force the items of the other are gone.",
		)
	case f.Merge == fields.Atomic:
		return model.Say(
			"The value is one field. Two field managers can only apply it alike: another key is a conflict, and with force the keys of the other are gone.",
		)
	}
	return model.Say("Two field managers share the field while they apply the same value; another value is a conflict.")
}

func writerTexts(list []writers.Writer) []model.Text {
	var out []model.Text
	for _, w := range list {
		text := model.Text{}
		if w.Field != "" {
			text = model.Textf("%v: ", model.Field.Of(w.Field))
		}
		text = append(text, model.Say(w.Who)...)
		if w.Manager != "" {
			role := w.Operation
			if w.Subresource != "" {
				role += " of " + w.Subresource
			}
			text = append(text, model.Textf(", as %v (%v)", model.Manager.Of(w.Manager), role)...)
		}
		if w.When != "" {
			text = append(text, model.Say(", "+w.When)...)
		}
		out = append(out, text)
	}
	return out
}

// schemaNodes are the fields below, each with what is said of it in a line.
func schemaNodes(list []fields.Field) []model.Node {
	var out []model.Node
	for _, f := range list {
		n := model.Node{Text: model.Text{model.Field.Of(f.Name())}, Note: nodeNote(f), Nodes: schemaNodes(f.Fields)}
		out = append(out, n)
	}
	return out
}

func nodeNote(f fields.Field) model.Text {
	parts := []string{typeText(f).String()}
	switch {
	case f.Merge == fields.Keyed:
		parts[0] += ", keyed by " + listKeys(f.Keys).String()
	case f.Type != "any" && f.Merge != fields.Scalar && f.Inside == "" &&
		!(f.Merge == fields.Granular && f.Type == "object"):
		parts[0] += ", " + mergeWords[f.Merge]
	}
	if f.Required {
		parts = append(parts, "required")
	}
	if f.Default != nil {
		parts = append(parts, "default "+fields.JSON(*f.Default))
	}
	if f.Zero == "Dropped" && (f.Type == "boolean" || f.Type == "integer") {
		parts = append(parts, zeroWord(f)+" is not stored")
	}
	if len(f.Writers) > 0 {
		parts = append(parts, "written by "+f.Writers[0].Who)
	}
	switch {
	case f.Recursive:
		parts = append(parts, "recursive")
	case f.Cut > 0:
		parts = append(parts, words.Count(f.Cut, "field"))
	}
	return model.Text{model.Faint.Of(strings.Join(parts, "; "))}
}

// formatsOf is the answer on the merge schema of a field.
func formatsOf(d fields.Document) show.Answer {
	return show.Answer{Report: d, View: func(o page.Options) model.Document { return layOut(d, o) }}
}
