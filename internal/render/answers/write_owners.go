package answers

import (
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/render/blame"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// fieldOwners are those of each field after the write; where it is refused, those of
// the live object. Of what changes, the changes say it.
func fieldOwners(o page.Options, r report.Result) []model.Block {
	title, object := "Owners after this write", r.Object
	if r.Outcome.Refused() {
		title, object = "Owners of the live object", r.Live
	}
	switch {
	case o.Listing && object == nil:
		return nil
	case o.Listing:
		whole := owners.New(r.Target, r.Source, object, managedfields.Shape{})
		w := blame.Owner{Options: o, Of: whole}
		return []model.Block{page.Part(title, slices.Concat(w.Unreadable(), w.Blame())...)}
	case len(r.Ownership) == 0 || !o.Verbose && r.Outcome != report.Unchanged:
		return nil
	}
	t := model.Table{Columns: make([]model.Column, 2), Shown: page.Shown}
	for _, row := range r.Ownership {
		var names []model.Text
		for _, w := range row.Managers {
			names = append(names, model.Textf("%v (%v)", model.Manager.Of(w.Manager), role(o, w)))
		}
		t.Rows = append(t.Rows, []model.Text{{model.Field.Of(row.Field)}, model.Join(names, ", ")})
	}
	return []model.Block{page.Part(title, t)}
}

// role is how and when a manager wrote.
func role(o page.Options, w report.Writer) string {
	role := w.Operation
	if w.Subresource != "" {
		role += " of " + w.Subresource
	}
	if age := words.Age(w.Time, o.Now); age != "" {
		return role + ", " + age + " ago"
	}
	if w.Time != nil {
		return role + ", " + w.Time.UTC().Format("2006-01-02")
	}
	return role
}
