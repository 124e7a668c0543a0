package writes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/blame"
	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// accepted is what an accepted write changes, and why, and who wins and loses what
// by it.
func accepted(o page.Options, r report.Result) []model.Block {
	var out []model.Block
	if only := entriesOnly(r); only != "" {
		out = append(out, model.Paragraph{Text: model.Say(only)})
	}
	if gist, ok := wholeGist(o, r); ok {
		return append(out, gist...)
	}
	if rest := changesWithLine(o, r); len(rest) > 0 {
		out = append(out, page.Part("Changes", listed(o, changesWhy(rest))))
	}
	out = append(out, transfers(o, r)...)
	if settings(o) {
		out = append(out, page.ClientParts(page.ResultDocument(r).InClient)...)
	}
	return out
}

// wholeGist is what an accepted write does to the object as a whole, which says all there is to
// say; false for one that changes some of it.
func wholeGist(o page.Options, r report.Result) ([]model.Block, bool) {
	switch {
	case r.Ran() && (r.Live == nil || r.Deleted) && !o.Verbose:
		if o.Brief {
			return nil, true
		}
		return []model.Block{page.Paragraph("Runs as a hook: %v.", hookGist(r))}, true
	case r.Deleted && r.Live == nil:
		return []model.Block{page.Paragraph("The object is not there before the run, and not after it.")}, true
	case r.Deleted:
		return gone(o, r), true
	case r.Outcome == report.Created && !o.Verbose:
		return createdGist(r.Changes), true
	case r.Outcome == report.Configured && r.Operation == report.Delete && !o.Verbose:
		return []model.Block{model.Paragraph{Text: model.Say(marked(r))}}, true
	}
	return nil, false
}

// changesWithLine are the changes that have a line. What the server alone keeps is not worth one
// next to other changes.
func changesWithLine(o page.Options, r report.Result) []report.Change {
	rest := renamed(withoutNoise(r.Changes), r.Object)
	if len(rest) == 0 || o.Verbose {
		rest = slices.Clone(r.Changes)
	}
	return slices.DeleteFunc(rest, func(c report.Change) bool {
		return o.Brief && slices.ContainsFunc(risksOf(r), func(k report.Finding) bool {
			// Of another spelling, the finding has the stored one alone.
			lost := k.Rule == risk.StoredDifferently && c.Kind == report.Modified
			return k.Field == c.Field && !lost
		})
	})
}

// createdGist counts what a new object is made of: all of it is change.
func createdGist(changes []report.Change) []model.Block {
	if len(changes) == 0 {
		return nil
	}
	applied := 0
	for _, c := range changes {
		if c.Reason == report.ReasonApplied {
			applied++
		}
	}
	s := words.Count(applied, "field") + " applied"
	if rest := len(changes) - applied; rest > 0 {
		s += fmt.Sprintf(", %d more set by the server", rest)
	}
	return []model.Block{page.Paragraph("%v (-v shows them, -o yaml the object)", s)}
}

// gone says what goes with an object that is deleted: whose fields.
func gone(o page.Options, r report.Result) []model.Block {
	lost := map[report.Writer]int{}
	var order []report.Writer
	for _, t := range r.Transfers {
		w := t.Writer()
		if lost[w]++; lost[w] == 1 {
			order = append(order, w)
		}
	}
	out := []model.Block{page.Paragraph("The object is gone.")}
	if n := len(r.Changes); n > 0 {
		out = []model.Block{page.Paragraph("The object is gone, with %v.", words.Count(n, "field"))}
	}
	if order != nil {
		t := model.Table{Columns: []model.Column{{Title: "OWNED BY"}, {Title: "FIELDS", Right: true}}, Shown: page.Shown}
		for _, w := range order {
			t.Rows = append(t.Rows, []model.Text{page.WriterOf(w), model.Say(fmt.Sprint(lost[w]))})
		}
		out = append(out, t)
	}
	if o.Verbose {
		out = append(out, page.Part("Changes", listed(o, changesWhy(r.Changes))))
	}
	return out
}

// marked says what an object waits for that has a deletion timestamp: what else changes is
// the server's bookkeeping.
func marked(r report.Result) string {
	var names []string
	finalizers, _ := fieldtree.Value(r.Object, "metadata", "finalizers").([]any)
	for _, f := range finalizers {
		names = append(names, fmt.Sprint(f))
	}
	if names == nil {
		return "Marked for deletion."
	}
	return "Marked for deletion; it is gone once its finalizers are removed: " + words.Some(
		names,
		shownFields,
		len(names),
	) + "."
}

// after are the reasons whose changes come last: what the server does by itself.
var after = map[report.Reason]int{
	report.ReasonAdmission: 1,
	report.ReasonDefaulted: 2,
	report.ReasonStrategy:  3,
	report.ReasonRecreated: 4,
}

// changesWhy are changed fields with their values, and the reason of each change.
// What is asked for comes before what the server fills in.
func changesWhy(list []report.Change) model.Table {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b report.Change) int { return cmp.Compare(after[a.Reason], after[b.Reason]) })
	t := page.Changes(list)
	t.Columns = append(t.Columns, model.Column{})
	for i, c := range list {
		t.Rows[i] = append(t.Rows[i], because(c))
	}
	return t
}

// because is the reason of a change in words, and the line that asks for it.
func because(c report.Change) model.Text {
	s := map[report.Reason]string{
		report.ReasonApplied:    "applied",
		report.ReasonUnowned:    "no longer applied, no other manager owns it",
		report.ReasonDefaulted:  "default filled in by the server",
		report.ReasonNormalised: "stored in another spelling",
		report.ReasonAdmission:  "set by admission",
		report.ReasonStrategy:   "set by the server",
		report.ReasonRecreated:  "the object is a new one",
	}[c.Reason]
	if c.Reason == report.ReasonNormalised && c.Kind == report.Removed {
		s = "applied as an empty value"
	}
	if s == "" {
		s = string(c.Reason)
	}
	if c.Detail != "" {
		s += " (" + c.Detail + ")"
	}
	if at := words.Place(c.Source); at != "" {
		s += ", " + at
	}
	return model.Text{model.Faint.Of(s)}
}

var transferKinds = []report.TransferKind{
	report.Acquired, report.Shared, report.Overridden, report.Relinquished, report.TransferRemoved,
}

// fewTransfers is how many fields that a manager gains have a row each.
const fewTransfers = 3

// transfers are who gains and loses which fields. That the manager owns what it
// changes is said where all is asked for, as is each of many fields that it gains.
func transfers(o page.Options, r report.Result) []model.Block {
	if r.Outcome == report.Created && !o.Verbose {
		return nil
	}
	t := model.Table{Columns: make([]model.Column, 3), Shown: page.Shown}
	for _, kind := range transferKinds {
		moves := movesOf(o, r, kind)
		if gains := kind == report.Acquired || kind == report.Shared; gains && len(moves) > fewTransfers && !o.Verbose {
			t.Rows = append(t.Rows, []model.Text{
				model.Say(words.Count(len(moves), "field")), page.WriterOf(moves[0].Writer()),
				model.Say(transferVerb(moves[0])),
			})
			continue
		}
		for _, move := range moves {
			t.Rows = append(t.Rows, []model.Text{
				{model.Field.Of(move.Field)}, page.WriterOf(move.Writer()), model.Say(transferVerb(move)),
			})
		}
	}
	if t.Rows == nil {
		return nil
	}
	return []model.Block{page.Part("Ownership changes", listed(o, t))}
}

// movesOf are the transfers of a kind that are to be said: not those that risks or changes say.
func movesOf(o page.Options, r report.Result, kind report.TransferKind) []report.Transfer {
	return slices.DeleteFunc(slices.Clone(r.Transfers), func(move report.Transfer) bool {
		said := slices.ContainsFunc(risksOf(r), func(k report.Finding) bool {
			return k.Field == move.Field || k.Rule == risk.Takeover && k.Manager == move.Manager
		})
		changes := slices.ContainsFunc(r.Changes, func(c report.Change) bool { return c.Field == move.Field })
		return move.Kind != kind || kind == report.Overridden && said || kind == report.Acquired && !o.Verbose && changes
	})
}

// transferVerb says what a transfer means for its manager.
func transferVerb(t report.Transfer) string {
	switch {
	case t.Kind == report.Acquired:
		return "takes ownership"
	case t.Kind == report.Shared:
		return "shares ownership"
	case t.Kind == report.Overridden && t.Cause == report.ByUpdate:
		return "is overwritten by an update"
	case t.Kind == report.Overridden:
		return "loses ownership"
	case t.Kind == report.Relinquished && t.ValueChanged:
		return "stops managing, the value changes"
	case t.Kind == report.Relinquished:
		return "stops managing, the field stays"
	}
	return "loses ownership, field removed"
}

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
			role := words.Operation(w.Operation, w.Subresource)
			if age := words.Age(w.Time, o.Now); age != "" {
				role += ", " + age + " ago"
			} else if w.Time != nil {
				role += ", " + w.Time.UTC().Format("2006-01-02")
			}
			names = append(names, model.Textf("%v (%v)", model.Manager.Of(w.Manager), role))
		}
		t.Rows = append(t.Rows, []model.Text{{model.Field.Of(row.Field)}, model.Join(names, ", ")})
	}
	return []model.Block{page.Part(title, t)}
}

// entriesOnly reports what an accepted write changes where it changes no field
// and no owner: times, versions and the order of managed fields entries. The
// server writes them where what was asked for is not what it stores, such as a
// null or an empty map. Empty for every other write.
func entriesOnly(r report.Result) string {
	if r.Outcome != report.Configured || r.Deleted || r.Changes == nil || len(r.Changes)+len(r.Transfers) > 0 ||
		r.Live == nil || r.Object == nil {
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
		if change := entryChange(before[i], e); change != "" {
			parts = append(parts, change)
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

// entryChange is how an entry differs from what it was; empty where neither its version nor its
// time does.
func entryChange(was, is managedfields.Entry) string {
	switch {
	case was.APIVersion != is.APIVersion:
		return fmt.Sprintf("that of %s is at %s, and was at %s", entryName(is), is.APIVersion, was.APIVersion)
	case (was.Time == nil) != (is.Time == nil) || is.Time != nil && !is.Time.Equal(*was.Time):
		return fmt.Sprintf("that of %s gets another time", entryName(is))
	}
	return ""
}

func entryName(e managedfields.Entry) string {
	return words.Writer(report.Writer{Manager: e.Manager, Operation: e.Operation, Subresource: e.Subresource})
}
