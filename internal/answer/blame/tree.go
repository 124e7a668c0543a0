package blame

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
)

// tree shows the fields as branches. A branch whose owned fields all have the
// same owners is one line, unless all is asked for.
func (w Owner) tree() []model.Block {
	out := []model.Block{w.legend()}
	if nodes := w.nodes(w.Of.Root); nodes != nil {
		out = append(out, model.Tree{Nodes: nodes})
	}
	return append(out, w.stale()...)
}

// nodes are those below a field. What the server never tracks has no place in
// the tree.
func (w Owner) nodes(f *owners.Field) []model.Node {
	var out []model.Node
	for _, below := range f.Fields {
		if tracked(below) {
			out = append(out, w.node(below))
		}
	}
	return out
}

func tracked(f *owners.Field) bool {
	any := false
	f.Each(func(f *owners.Field) {
		any = any || !f.Context && (f.State == owners.Owned || f.State == owners.Unowned)
	})
	return any
}

// node is a field with its owners, and those below it where they need lines of
// their own.
func (w Owner) node(f *owners.Field) model.Node {
	label := treeLabel(f)
	if f.End {
		return model.Node{
			Text: treeText(f, label, w.treeValue(f)),
			Note: w.treeNote(f.Claims, f.State == owners.Unowned, f.Context),
		}
	}
	b := survey(f)
	if w.Verbose || !b.uniform {
		return model.Node{Text: treeText(f, label, ""), Note: w.treeNote(f.Claims, false, f.Context), Nodes: w.nodes(f)}
	}
	note := w.treeNote(b.claims, b.owned == 0, false)
	if b.owned+b.unowned > 1 {
		return model.Node{Text: treeText(f, label, ": "+b.String()), Note: note}
	}
	end := f
	for !end.End {
		end = end.Fields[slices.IndexFunc(end.Fields, tracked)]
		if end.Key() != "" {
			label += "."
		}
		label += treeLabel(end)
	}
	return model.Node{Text: treeText(f, label, w.treeValue(end)), Note: note}
}

// treeText is a label with what stands there.
func treeText(f *owners.Field, label, value string) model.Text {
	role := model.Plain
	if f.Context {
		role = model.Faint
	}
	return model.Text{role.Of(label + value)}
}

// treeNote says whose a branch is.
func (w Owner) treeNote(claims []owners.Claim, unowned, context bool) model.Text {
	switch {
	case context:
	case len(claims) > 0:
		note := model.Textf("%v %v", model.Strong.Of(claimLetters(claims)), w.claimNames(claims))
		if age := w.claimAge(claims); age != "-" {
			note = model.Textf("%v, %v", note, age)
		}
		return note
	case unowned:
		return model.Say("-")
	}
	return nil
}

// treeLabel is the last element of the path, as people read it.
func treeLabel(f *owners.Field) string {
	if key := f.Key(); key != "" {
		return words.Quoted(key)
	}
	return f.Path[len(f.Path)-1].String()
}

func (w Owner) treeValue(f *owners.Field) string {
	switch v := f.Value.(type) {
	case map[string]any:
		if f.Repeated {
			return " (repeated)"
		}
		if f.Whole {
			return fmt.Sprintf(": {…} (%s, one field)", words.Count(len(v), "key"))
		}
		return ": {}"
	case []any:
		if f.Whole {
			return fmt.Sprintf(": […] (%s, one field)", words.Count(len(v), "item"))
		}
		return ": []"
	}
	switch {
	case f.Item:
		return ""
	case w.Verbose:
		return ": " + words.Scalar(f.Value)
	}
	return ": " + glyph.Cut(words.Scalar(f.Value), 40)
}

// branchSurvey is what there is in a branch.
type branchSurvey struct {
	owned, unowned int
	// claims are those of the owned fields, where uniform says that they all
	// have the same, and that maps and items have no others.
	claims  []owners.Claim
	uniform bool
}

func (b branchSurvey) String() string {
	s := words.Count(b.owned+b.unowned, "field")
	if b.owned > 0 && b.unowned > 0 {
		s += fmt.Sprintf(", %d unowned", b.unowned)
	}
	return s
}

func survey(f *owners.Field) branchSurvey {
	b := branchSurvey{uniform: true}
	var inner []*owners.Field
	var first *owners.Field
	f.Each(func(f *owners.Field) {
		switch {
		case f.Context:
		case !f.End:
			inner = append(inner, f)
		case f.State == owners.Unowned:
			b.unowned++
		case f.State == owners.Owned:
			b.owned++
			if first == nil {
				first = f
			}
			b.uniform = b.uniform && slices.Equal(first.Claims, f.Claims)
		}
	})
	if first != nil {
		b.claims = first.Claims
	}
	for _, f := range inner {
		for _, c := range f.Claims {
			b.uniform = b.uniform && slices.ContainsFunc(b.claims, func(have owners.Claim) bool { return have.Entry == c.Entry })
		}
	}
	return b
}

// table is a row for each owner of each field. Unless all is asked for, unowned
// fields are left to the numbers above and to --unowned.
func (w Owner) table() []model.Block {
	t := model.Table{
		Apart: true,
		Columns: []model.Column{{Title: "Field", Whole: true}, {Title: "Manager"}, {Title: "Operation"},
			{Title: "Age"}, {Title: "Note"}},
	}
	inner, unowned, noted := 0, 0, false
	for _, f := range w.Of.Rows() {
		switch {
		case !w.Verbose && !f.End && ownsInside(f):
			inner++
		case !w.Verbose && f.State == owners.Unowned && w.Filter.Empty():
			unowned++
		case len(f.Claims) == 0:
			t.Rows = append(t.Rows, []model.Text{{model.Field.Of(f.Name)}, model.Say("-"), nil, nil, model.Say(w.note(f, nil))})
		default:
			for _, c := range f.Claims {
				e := w.Of.Entries[c.Entry]
				t.Rows = append(
					t.Rows,
					[]model.Text{{model.Field.Of(f.Name)}, w.manager(c.Entry), model.Say(operation(e)), model.Say(w.age(e)),
						model.Say(w.note(f, &c))},
				)
			}
		}
	}
	for _, row := range t.Rows {
		noted = noted || len(row[4]) > 0
	}
	if !noted {
		t.Columns = t.Columns[:4]
		for i := range t.Rows {
			t.Rows[i] = t.Rows[i][:4]
		}
	}
	leftOut := page.Enumerated([]page.Counted{
		page.Of(
			model.Plain,
			inner,
			words.Agree(inner, "map or item", "maps and items")+" whose owners also own fields inside",
		),
		page.Of(model.Plain, unowned, words.Agree(unowned, "field", "fields")+" without an owner"),
	})
	if leftOut == nil {
		return []model.Block{t}
	}
	return []model.Block{t, model.Paragraph{Apart: true, Text: model.Textf("Left out: %v. -v shows all.", leftOut)}}
}

// ownsInside reports whether each owner of a map or item owns something in it:
// then the field itself says nothing new.
func ownsInside(f *owners.Field) bool {
	inside := map[int]bool{}
	for _, below := range f.Fields {
		below.Each(func(f *owners.Field) {
			for _, c := range f.Claims {
				inside[c.Entry] = true
			}
		})
	}
	for _, c := range f.Claims {
		if !inside[c.Entry] {
			return false
		}
	}
	return true
}

// note says what is special about a field and a claim of it.
func (w Owner) note(f *owners.Field, c *owners.Claim) string {
	var notes []string
	add := func(is bool, note string) {
		if is && note != "" {
			notes = append(notes, note)
		}
	}
	add(c != nil && w.Of.Shared(f), "shared")
	add(f.State == owners.Stale, "stale")
	add(c != nil && c.Inside, "inside")
	add(f.Repeated, "repeated")
	if c != nil {
		add(true, w.otherVersion(w.Of.Entries[c.Entry]))
	}
	return strings.Join(notes, ", ")
}
