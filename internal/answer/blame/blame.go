// Package blame shows who owns which field next to the fields: as YAML with owners in the
// margin, as a tree, or as a table.
package blame

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// Layout is a way to show the ownership of an object.
type Layout string

// The layouts, in the order of the help text.
const (
	OwnersTable    Layout = "table"
	OwnersBlame    Layout = "blame"
	OwnersTree     Layout = "tree"
	OwnersManagers Layout = "managers"
)

// Layouts lists them. The slice is the caller's own.
func Layouts() []Layout { return []Layout{OwnersTable, OwnersBlame, OwnersTree, OwnersManagers} }

// Document shows who owns the fields of objects: of each its numbers, what is odd
// about its entries, and what the filter asks for in a layout.
func Document(a owners.Answer, layout Layout, o page.Options) model.Document {
	out := page.Document(
		o,
		"Owners of fields",
		report.Head{},
		a.Ending,
		a.Objects,
		func(_ page.Options, object *owners.Object) model.Section {
			return ownership(object, a.Filter, layout, o)
		},
	)
	out.Managers, out.Headline = a.Managers(), page.InterruptedLine(a.Interrupted)
	return out
}

// Owner shows the owners of one object.
type Owner struct {
	page.Options
	// Of is what is selected of it.
	Of     *owners.Object
	Filter owners.Filter
}

// ownership is the section of one object.
func ownership(whole *owners.Object, filter owners.Filter, layout Layout, o page.Options) model.Section {
	w := Owner{o, whole.Select(filter), filter}
	c := whole.Counts
	verdict := tallies(
		words.Count(c.Owned, "field")+" owned", page.Of(model.Plain, c.Shared, "shared"),
		page.Of(model.Plain, c.Unowned, "unowned"), page.Of(model.Plain, c.Stale, "stale"),
	)
	s := model.Section{
		Title: page.Titled(whole.Target, verdict), Weight: model.Detail,
		Subject: page.SubjectOf(whole.Target, whole.Source, report.Unchanged, verdict),
		Blocks:  w.Unreadable(),
	}
	add := func(blocks ...model.Block) { s.Blocks = append(s.Blocks, blocks...) }
	if len(whole.Entries) == 0 {
		add(w.untracked()...)
		return s
	}
	unmatched := w.unmatched(whole)
	add(unmatched...)
	nothing := w.Of.Root.Context && len(w.Of.Root.Fields) == 0 && len(w.Of.Stale) == 0
	switch {
	case nothing && unmatched == nil:
		add(page.Paragraph("No field matches."))
	case nothing:
	case layout != OwnersBlame && len(w.Of.Rows()) == 0:
		add(
			page.Paragraph("The server tracks no owners for this: it belongs to the object's identity, or is the server's own."),
		)
	case layout == OwnersBlame:
		add(w.Blame()...)
	case layout == OwnersTree:
		add(w.tree()...)
	case layout == OwnersManagers:
		add(w.managers()...)
	default:
		add(w.table()...)
	}
	return s
}

// tallies are numbers of fields, without those that are none.
func tallies(first string, others ...page.Counted) model.Text {
	return page.Enumerated(append([]page.Counted{{N: 1, Text: model.Say(first)}}, others...))
}

// untracked says how to get managed fields, where an object has none.
func (w Owner) untracked() []model.Block {
	get := model.Command{Line: fixes.FetchObject(w.Of.Target).String()}
	if w.Of.Err != nil {
		return []model.Block{page.Paragraph("No server writes that. The object as it is stored is given by:"), get}
	}
	return []model.Block{
		page.Paragraph(
			"The object came without managedFields, so that its owners are not known. kubectl leaves them out unless it " +
				"is asked to keep them:",
		), get,
		page.Paragraph(
			"Where it has none even so, it was never written with tracking: with the first apply the server synthesizes the " +
				"field manager before-first-apply, which owns what is there.",
		),
	}
}

// Unreadable are the entries that the server would not read either.
func (w Owner) Unreadable() []model.Block {
	var out []model.Block
	label := model.Text{model.Bad.Of("unreadable:")}
	if w.Of.Err != nil {
		out = append(out, model.Paragraph{Label: label, Text: model.Say(w.Of.Err.Error())})
	}
	told := false
	for _, e := range w.Of.Entries {
		if e.Err == nil {
			continue
		}
		told = true
		name := model.Text{}
		if e.Manager != "" {
			name = model.Textf(" of %v", model.Manager.Of(e.Manager))
		}
		out = append(
			out,
			model.Paragraph{Label: label, Text: model.Textf("metadata.managedFields[%v]%v: %v", e.Index, name, e.Err.Error())},
		)
	}
	if told {
		out = append(out, page.Paragraph("No server writes such entries: the file was edited, or cut. The others are shown."))
	}
	return out
}

// unmatched says what of the filter the object does not know, and what it has
// instead.
func (w Owner) unmatched(whole *owners.Object) []model.Block {
	var out []model.Block
	u := whole.Unmatched(w.Filter)
	for _, m := range u.Managers {
		out = append(out, page.Paragraph("No entry is of a field manager %v. There are: %v.", fmt.Sprintf("%q", m),
			model.Join(model.Spans(model.Manager, whole.Managers()), ", ")))
	}
	for _, f := range u.Fields {
		text := model.Textf("There is no field %v.", model.Field.Of(f))
		if near := owners.Nearest(f, whole.Names()); near != "" {
			text = model.Textf("%v The nearest is %v.", text, model.Field.Of(near))
		}
		out = append(out, model.Paragraph{Text: text})
	}
	for _, f := range w.Filter.Fields {
		if in := whole.Enclosing(f); in != nil {
			out = append(
				out,
				page.Paragraph("%v is inside %v, which is owned as a whole.", model.Field.Of(f), model.Field.Of(in.Name)),
			)
		}
	}
	return out
}

// letters names an entry in the margin of a layout: A to Z, then AA and so on.
func letters(entry int) string {
	name := ""
	for n := entry + 1; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

// claimLetters are the letters of claims, joined by +; those of claims that are
// only inside the field are in brackets.
func claimLetters(claims []owners.Claim) string {
	var out []string
	for _, c := range claims {
		s := letters(c.Entry)
		if c.Inside {
			s = "(" + s + ")"
		}
		out = append(out, s)
	}
	return strings.Join(out, "+")
}

// claimNames is the first of the managers, and how many others there are.
func (w Owner) claimNames(claims []owners.Claim) model.Text {
	others := map[string]bool{}
	for _, c := range claims {
		others[w.Of.Entries[c.Entry].Manager] = true
	}
	first := w.manager(claims[0].Entry)
	if len(others) == 1 {
		return first
	}
	return model.Textf("%v +%v", first, len(others)-1)
}

// manager is the name of an entry's field manager.
func (w Owner) manager(entry int) model.Text {
	if name := w.Of.Entries[entry].Manager; name != "" {
		return model.Text{model.Manager.Of(name)}
	}
	return model.Say(`""`)
}

// claimAge is the age of the youngest of the entries.
func (w Owner) claimAge(claims []owners.Claim) string {
	var youngest managedfields.Entry
	for _, c := range claims {
		e := w.Of.Entries[c.Entry]
		if e.Time != nil && (youngest.Time == nil || e.Time.After(*youngest.Time)) {
			youngest = e
		}
	}
	return w.age(youngest)
}

// age is that of an entry, its date where ages are left out, or a dash for an
// entry without a time.
func (w Owner) age(e managedfields.Entry) string {
	switch a := words.Age(e.Time, w.Now); {
	case a != "":
		return a
	case e.Time != nil:
		return e.Time.UTC().Format("2006-01-02")
	}
	return "-"
}

// operation is that of an entry with its subresource.
func operation(e managedfields.Entry) string { return words.Operation(e.Operation, e.Subresource) }

// otherVersion is the API version of an entry that was written at another one
// than the object is shown at; its paths are in terms of that version.
func (w Owner) otherVersion(e managedfields.Entry) string {
	if e.APIVersion == w.Of.Target.APIVersion {
		return ""
	}
	group, version := words.GroupVersion(e.APIVersion)
	if own, _ := words.GroupVersion(w.Of.Target.APIVersion); own == group {
		return "at " + version
	}
	return "at " + e.APIVersion
}

// legend says which letter is which entry, of those that are shown.
func (w Owner) legend() model.Table {
	t := model.Table{Apart: true, Columns: make([]model.Column, 5)}
	for _, s := range w.Of.Summaries() {
		e := w.Of.Entries[s.Entry]
		if s.Fields+s.Stale == 0 && len(s.Roots) == 0 && !w.Filter.Empty() {
			continue
		}
		t.Rows = append(t.Rows, []model.Text{
			{model.Strong.Of(letters(s.Entry))}, w.manager(s.Entry), model.Say(operation(e)), model.Say(w.age(e)),
			model.Say(strings.TrimSpace(words.Count(s.Fields, "field") + " " + w.otherVersion(e))),
		})
	}
	return t
}

// managers are the entries with their numbers, and the roots of what they own.
func (w Owner) managers() []model.Block {
	l := model.List{Apart: true}
	for _, s := range w.Of.Summaries() {
		if len(s.Roots) == 0 && !w.Filter.Empty() {
			continue
		}
		e := w.Of.Entries[s.Entry]
		role := strings.TrimSpace(operation(e) + " " + w.otherVersion(e))
		last := w.age(e)
		switch {
		case e.Time == nil:
			last = "not recorded"
		case words.Age(e.Time, w.Now) != "":
			last = words.Date(e.Time) + " (" + last + ")"
		}
		item := model.Item{Text: model.Textf(
			"%v (%v), last write %v: %v", w.manager(s.Entry), role, last,
			tallies(
				words.Count(s.Fields, "field"),
				page.Of(model.Plain, s.Shared, "shared"),
				page.Of(model.Plain, s.Stale, "stale"),
			),
		)}
		if len(s.Roots) > 0 {
			roots := page.Fields(s.Roots)
			roots.Shown = 0
			item.Blocks = []model.Block{roots}
		}
		l.Items = append(l.Items, item)
	}
	return []model.Block{l}
}
