package answers

import (
	"fmt"
	"slices"
	"strings"

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

// entriesOnly reports what an accepted write changes where it changes no field
// and no owner: times, versions and the order of managed fields entries. The
// server writes them where what was asked for is not what it stores, such as a
// null or an empty map. Empty for every other write.
func entriesOnly(r report.Result) string {
	if r.Outcome != report.Configured || r.Deleted || r.Changes == nil || len(r.Changes)+len(r.Transfers) > 0 || r.Live == nil || r.Object == nil {
		return ""
	}
	before, after := managedfields.Of(r.Live).Entries, managedfields.Of(r.Object).Entries
	var parts []string
	at := map[managedfields.Role]int{}
	for i, e := range before {
		at[e.Role] = i
	}
	last, moved := -1, false
	for _, e := range after {
		i, ok := at[e.Role]
		if !ok {
			continue
		}
		moved, last = moved || i < last, i
		if was := before[i]; was.APIVersion != e.APIVersion {
			parts = append(parts, fmt.Sprintf("that of %s is at %s, and was at %s", entryName(e), e.APIVersion, was.APIVersion))
		} else if !sameTime(was, e) {
			parts = append(parts, fmt.Sprintf("that of %s gets another time", entryName(e)))
		}
	}
	if len(after) != len(before) {
		parts = append(parts, fmt.Sprintf("there are %d, and were %d", len(after), len(before)))
	}
	if moved {
		parts = append(parts, "so their order changes")
	}
	if parts == nil {
		parts = []string{"their text changes"}
	}
	return "No field and no owner changes, only managed fields entries: " + strings.Join(parts, "; ")
}

func entryName(e managedfields.Entry) string {
	return words.Writer(report.Writer{Manager: e.Manager, Operation: e.Operation, Subresource: e.Subresource})
}

func sameTime(a, b managedfields.Entry) bool {
	if a.Time == nil || b.Time == nil {
		return a.Time == b.Time
	}
	return a.Time.Equal(*b.Time)
}
