package writes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// listing are the fields of a group, each with its values and its line; of a takeover they
// are changes like others.
func (w *Run) listing(g *finding.Group) []model.Block {
	var out []model.Block
	switch {
	case g.Rule == risk.Takeover,
		g.Rule == report.RuleConflict && recommends(g, report.EditMigrate) && g.Fields > fewTakenOver:
		return nil
	case quotes(g):
		if quote := quote(g); quote.Text != "" {
			out = append(out, quote)
		}
		if g.Joint != "" {
			out = append(out, page.Paragraph("%v", g.Evidence))
		}
	}
	if text := w.places(g); text != nil {
		return append(out, model.Paragraph{Text: text})
	}
	t := model.Table{}
	for _, f := range shown(g, w.o.Verbose) {
		t.Rows = append(t.Rows, w.cells(f, g.Common == "" || g.Joint != ""))
	}
	if t = filled(t); len(t.Columns) == 0 {
		return out
	}
	out = append(out, listed(w.o, t))
	if more := g.Fields - len(t.Rows); more > 0 {
		out = append(out, model.Paragraph{Text: model.Text{model.Faint.Of(fmt.Sprintf("… %d more", more))}})
	}
	return out
}

// fewTakenOver is how many fields of a takeover that is refused are shown: of more, that it is one
// says more than they do.
const fewTakenOver = 8

// inRow is how much of a value a row shows.
const inRow = 48

// valuesOf are the values of a finding in a row; nil for none.
func valuesOf(f report.Finding) model.Text {
	switch {
	case f.Joint != "":
		kind := report.Immutable
		field := report.RefusedField{
			Live:           f.Before,
			LiveMissing:    f.Before == nil,
			Applied:        f.After,
			AppliedMissing: f.After == nil,
		}
		if len(f.Owners) == 0 {
			if f.After == nil && strings.HasPrefix(f.Joint, string(report.Leftover)) {
				kind = report.Leftover
			}
			return page.RefusedValues(kind, field)
		}
		return model.Textf("%v, of %v", page.RefusedValues(report.Leftover, field), page.WriterOf(f.Owners[0]))
	case f.Before == nil && f.After == nil:
		return nil
	case f.Rule == risk.StoredDifferently && f.After != nil:
		return model.Textf("stored as %v", model.Value.Of(glyph.Cut(words.Scalar(f.After), inRow)))
	case f.Rule == risk.Kept:
		return model.Textf("%v", model.Value.Of(glyph.Cut(words.Scalar(f.Before), inRow)))
	}
	change := report.Change{Kind: report.Modified, Before: f.Before, After: f.After}
	switch {
	case f.Before == nil:
		change.Kind = report.Added
	case f.After == nil:
		change.Kind = report.Removed
	}
	return becomes(change)
}

// becomes are the values of a change in a row: what of long ones differs.
func becomes(c report.Change) model.Text {
	if inside := page.Inside(c.Before, c.After); len(inside) > 0 && c.Kind == report.Modified {
		return inside.InRow(inRow)
	}
	whole, written := words.Both(c.Before, c.After)
	before, after := page.Differing(whole, written, inRow)
	switch c.Kind {
	case report.Added:
		return model.Textf("(not set) -> %v", model.Value.Of(glyph.Cut(after, inRow)))
	case report.Removed:
		return model.Textf("%v -> (removed)", model.Value.Of(glyph.Cut(before, inRow)))
	}
	return model.Textf("%v -> %v", model.Value.Of(before), model.Value.Of(after))
}

// cells are those of a field in a row: the object, unless there is one only, the field, its
// values, its age and its line.
func (w *Run) cells(f report.Finding, named bool) []model.Text {
	var cells []model.Text
	if w.one == nil {
		cells = append(cells, model.Say(w.object(f.Target)))
	}
	if named && f.Field != "" {
		cells = append(cells, model.Text{model.Field.Of(f.Field)})
	}
	age := ""
	if len(f.Owners) > 0 {
		if age = words.Age(f.Owners[0].Time, w.o.Now); age != "" {
			age += " ago"
		}
	}
	return append(cells, valuesOf(f), model.Say(age), faintly(words.Place(&f.Source)))
}

// full are the cells that are not empty.
func full(cells []model.Text) []model.Text {
	return slices.DeleteFunc(cells, func(c model.Text) bool { return len(c) == 0 })
}

// faintly is a text in the background; nil for none.
func faintly(text string) model.Text {
	if text == "" {
		return nil
	}
	return model.Text{model.Faint.Of(text)}
}

// listed is a table without a header, where a format has none: its rows are a list.
func listed(o page.Options, t model.Table) model.Block {
	if !o.Headline {
		return t
	}
	l := model.List{Shown: t.Shown}
	for _, row := range t.Rows {
		l.Items = append(l.Items, model.Item{Text: model.Join(full(row), "  ")})
	}
	return l
}

// filled is a table without the columns that are empty.
func filled(t model.Table) model.Table {
	if len(t.Rows) == 0 {
		return t
	}
	used := make([]bool, len(t.Rows[0]))
	for _, row := range t.Rows {
		for i, cell := range row {
			used[i] = used[i] || len(cell) > 0
		}
	}
	for r, row := range t.Rows {
		var cells []model.Text
		for i, cell := range row {
			if used[i] {
				cells = append(cells, cell)
			}
		}
		t.Rows[r] = cells
	}
	t.Columns = make([]model.Column, len(t.Rows[0]))
	return t
}

// object names an object by its kind, without the group; its namespace is left out where
// all objects have the same one.
func (w *Run) object(t report.Target) string {
	name := strings.ToLower(t.Kind) + "/" + t.Named()
	if t.Subresource != "" {
		name += " (" + t.Subresource + ")"
	}
	if len(w.namespaces) == 1 {
		return name
	}
	return name + words.Where(t)
}

// places are the objects of a group in a line, where there are no values to show; nil
// elsewhere, and empty for the only one.
func (w *Run) places(g *finding.Group) model.Text {
	if w.one != nil && g.Common != "" || g.Joint != "" {
		return nil
	}
	var parts []string
	for _, f := range g.Rows {
		if len(valuesOf(f)) > 0 || f.Rule == report.RuleConflict {
			return nil
		}
		name := w.object(f.Target)
		if at := words.Place(&f.Source); at != "" {
			name += " (" + at + ")"
		}
		if !slices.Contains(parts, name) {
			parts = append(parts, name)
		}
	}
	return model.Say(words.Some(parts, shownPlaces, max(g.Objects, min(len(parts), shownPlaces))))
}

// quote is the answer of the server, or why there is none.
func quote(g *finding.Group) model.Quote {
	message := shortMessage(g.Quote)
	if more := g.Objects - 1; more > 0 && finding.Nameless(message, g.Target) != message {
		message += " (the same of " + words.Count(more, "other object") + ")"
	}
	if path := g.Path(); path != "" && g.Joint == "" {
		message = path + ": " + message
	}
	return model.Quote{Text: message}
}
