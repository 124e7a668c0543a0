package blame

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
)

// table is a row for each owner of each field. Unless all is asked for, unowned
// fields are left to the numbers above and to --unowned.
func (w Owner) table() []model.Block {
	t := model.Table{Apart: true, Columns: []model.Column{{Title: "Field", Whole: true}, {Title: "Manager"}, {Title: "Operation"}, {Title: "Age"}, {Title: "Note"}}}
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
				t.Rows = append(t.Rows, []model.Text{{model.Field.Of(f.Name)}, w.manager(c.Entry), model.Say(operation(e)), model.Say(w.age(e)), model.Say(w.note(f, &c))})
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
	return append([]model.Block{t}, leftOut(inner, unowned)...)
}

// leftOut counts what the table does not show.
func leftOut(inner, unowned int) []model.Block {
	var parts []string
	switch {
	case inner == 1:
		parts = append(parts, "1 map or item whose owners also own fields inside")
	case inner > 1:
		parts = append(parts, fmt.Sprintf("%d maps and items whose owners also own fields inside", inner))
	}
	if unowned > 0 {
		parts = append(parts, words.Count(unowned, "field")+" without an owner")
	}
	if parts == nil {
		return nil
	}
	return []model.Block{model.Paragraph{Apart: true, Text: model.Say("Left out: " + strings.Join(parts, ", ") + ". -v shows all.")}}
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
