package blame

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/words"
)

// shownOfValue is how many lines of one value are enough where a format folds.
const shownOfValue = 10

// Blame is the object's YAML, each line with its owners in a margin.
func (w Owner) Blame() []model.Block {
	l := model.Listing{Shown: shownOfValue}
	for lines := yamlLines(w.Of.Root); len(lines) > 0; {
		n := 1
		for n < len(lines) && lines[n].field == lines[0].field {
			n++
		}
		l.Runs = append(l.Runs, w.run(lines[:n]))
		lines = lines[n:]
	}
	out := []model.Block{w.legend()}
	if l.Runs != nil {
		out = append(out, l)
	}
	out = append(out, w.repeated()...)
	return append(out, w.stale()...)
}

// run are the lines of one field with their owners.
func (w Owner) run(lines []yamlLine) model.Run {
	f := lines[0].field
	run := model.Run{}
	role := model.Plain
	switch {
	case f.Context:
		role = model.Faint
	case len(f.Claims) > 0:
		run.Margin = []model.Text{
			{model.Strong.Of(claimLetters(f.Claims))},
			w.claimNames(f.Claims),
			model.Say(w.claimAge(f.Claims)),
		}
	case f.State == owners.Unowned:
		run.Margin = []model.Text{model.Say("-")}
	}
	for _, l := range lines {
		run.Lines = append(run.Lines, model.Text{role.Of(l.String())})
	}
	return run
}

// repeated are the items that no path tells apart.
func (w Owner) repeated() []model.Block {
	var paths []string
	for _, f := range w.Of.Rows() {
		if f.Repeated && (paths == nil || paths[len(paths)-1] != f.Name) {
			paths = append(paths, f.Name)
		}
	}
	if paths == nil {
		return nil
	}
	l := page.Fields(paths)
	l.Shown = 0
	return []model.Block{page.Part("Repeated keys: such items are owned together, as one field", l)}
}

// stale are the claims that no line stands for.
func (w Owner) stale() []model.Block {
	if len(w.Of.Stale) == 0 {
		return nil
	}
	t := model.Table{Columns: make([]model.Column, 2)}
	for _, f := range w.Of.Stale {
		t.Rows = append(t.Rows, []model.Text{{model.Strong.Of(claimLetters(f.Claims))}, {model.Field.Of(f.Name)}})
	}
	return []model.Block{page.Part("Owned, but not in the object", t)}
}

// yamlLine is one line of an object's YAML, so many columns in, and the field that it
// belongs to.
type yamlLine struct {
	indent int
	text   string
	field  *owners.Field
}

func (l yamlLine) String() string { return strings.Repeat(" ", l.indent) + l.text }

// yamlLines writes a field and all below as kubectl prints them, but that the
// keys of an item come first.
func yamlLines(f *owners.Field) []yamlLine { return appendField(nil, f, 0) }

func appendField(out []yamlLine, f *owners.Field, indent int) []yamlLine {
	switch {
	case f.End:
		return appendEnd(out, f, indent)
	case len(f.Path) == 0:
		return appendBelow(out, f, indent)
	case f.Item:
		return appendItem(out, f, indent)
	}
	out = appendText(out, keyText(f.Key()), f, indent)
	if !f.List() {
		indent += len("  ")
	}
	return appendBelow(out, f, indent)
}

func appendBelow(out []yamlLine, f *owners.Field, indent int) []yamlLine {
	for _, field := range f.Fields {
		out = appendField(out, field, indent)
	}
	return out
}

// appendItem puts the dash of an item in front of its first line. An item with
// other owners than that line has a line of its own; YAML needs only its
// dash.
func appendItem(out []yamlLine, f *owners.Field, indent int) []yamlLine {
	first := len(out)
	out = appendBelow(out, f, indent+len("- "))
	if len(out) == first || !f.Context && (out[first].field.Context || !slices.Equal(f.Claims, out[first].field.Claims)) {
		out = slices.Insert(out, first, yamlLine{text: "# the item itself", field: f})
	}
	out[first].indent, out[first].text = indent, "- "+out[first].text
	return out
}

// appendEnd writes a field with its value.
func appendEnd(out []yamlLine, f *owners.Field, indent int) []yamlLine {
	var whole any = []any{f.Value}
	if !f.Item {
		whole = map[string]any{f.Key(): f.Value}
	}
	return appendText(out, yamlText(whole), f, indent)
}

// yamlText is a value as kubectl prints it.
func yamlText(v any) string {
	s, err := objects.YAML(v)
	if err != nil {
		// No value of a JSON object; such as NaN.
		return words.Scalar(v)
	}
	return s
}

// keyText is a key with its colon.
func keyText(key string) string {
	return strings.TrimSuffix(strings.TrimSpace(yamlText(map[string]any{key: map[string]any{}})), " {}")
}

func appendText(out []yamlLine, text string, f *owners.Field, indent int) []yamlLine {
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		out = append(out, yamlLine{indent, line, f})
	}
	return out
}
