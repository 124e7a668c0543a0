package writes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// changesMade are the fields that a run changes, next to those of its causes. Equal
// changes of several objects are one.
type changesMade struct {
	keyed[changeKey, fieldChange]
	// rest are the changes for which the list has no room, by kind and field.
	rest                      keyed[changeKey, fieldChange]
	fields, objects, versions int
	// annotated is how many objects have their last-applied annotation rewritten, and
	// unannotated how many lose it.
	annotated         int
	unannotated       int
	created           finding.Objects
	deleted, deleting finding.Objects
	// recreated are deleted and created again; ran are hooks, and removed those of them that
	// are removed again.
	recreated, ran, removed finding.Objects
}

// changeKey is what equal changes have in common.
type changeKey struct{ kind, pattern, values string }

// fieldChange is a change of a field in one object or several.
type fieldChange struct {
	changeKey
	// at are the texts in the pattern's brackets, * where they differ.
	at     []string
	heavy  heaviness
	of     finding.Objects
	fields int
	// objects are the numbers of the objects in the run.
	objects []int32
	reason  report.Reason
	becomes model.Text
	// differ: there are other values than these.
	differ bool
	source *report.Source
}

// add counts the changes of an object, which has a number in the run.
func (m *changesMade) add(object int, t report.Target, in changedIn) {
	m.versions += in.versions
	if in.annotated {
		m.annotated++
	}
	if in.unannotated {
		m.unannotated++
	}
	if of := map[wholly]*finding.Objects{isCreated: &m.created, isDeleted: &m.deleted, isDeleting: &m.deleting,
		isRecreated: &m.recreated, isRun: &m.ran, isRemoved: &m.removed}[in.whole]; of != nil {
		of.Add(t)
	}
	if len(in.list) > 0 {
		m.objects++
	}
	for _, c := range in.list {
		m.fields++
		if one := m.changeOf(t, c); one != nil {
			one.add(object, t)
		}
	}
}

// changeOf is the one that a change of an object counts to; nil where there is no room.
func (m *changesMade) changeOf(t report.Target, c report.Change) *fieldChange {
	pattern, keys := report.Pattern(c.Field)
	values, heavy := becomes(c), heavinessOf(t.Kind, c)
	key := changeKey{page.KindName(t), pattern, values.String() + "\n" + string(c.Reason)}
	made := func() *fieldChange {
		return &fieldChange{changeKey: key, at: keys, heavy: heavy, reason: c.Reason, becomes: values, source: c.Source}
	}
	one := m.of(key, made)
	if one == nil {
		key.values = ""
		one = m.rest.of(key, made)
	}
	if one != nil {
		finding.Starred(one.at, keys)
		one.heavy = min(one.heavy, heavy)
		one.differ = one.differ || values.String() != one.becomes.String()
	}
	return one
}

// add counts a field of an object.
func (c *fieldChange) add(object int, t report.Target) {
	c.fields++
	if n := len(c.objects); n > 0 && c.objects[n-1] == int32(object) {
		return
	}
	c.objects = append(c.objects, int32(object))
	c.of.Count(t)
}

// shownChanges is how many rows of changes are enough.
const shownChanges = 40

// rows are the changes in the order of their weight. Where they are many, those of one
// field of a kind are one, the lightest first.
func (m *changesMade) rows(all bool) []*fieldChange {
	list := slices.Concat(m.list, m.rest.list)
	if !all {
		list = folded(list, ofSpec, shownRows, func(c *fieldChange) changeKey { return changeKey{c.kind, c.pattern, ""} })
		list = folded(
			list,
			ofBulk,
			shownRows,
			func(c *fieldChange) changeKey { return changeKey{c.kind, bulkOf(c.pattern), ""} },
		)
	}
	out := equal(list)
	for heavy := ofImages; !all && heavy >= isRemoval && len(out) > shownChanges; heavy-- {
		list = folded(list, heavy, 1, func(c *fieldChange) changeKey { return changeKey{c.kind, c.pattern, ""} })
		out = equal(list)
	}
	slices.SortStableFunc(out, func(a, b *fieldChange) int {
		return cmp.Or(cmp.Compare(after[a.reason], after[b.reason]), cmp.Compare(a.heavy, b.heavy))
	})
	return out
}

// folded puts the changes of a weight, and lighter ones, into one that have a kind and a key
// in common, where they are more than so many.
func folded(list []*fieldChange, from heaviness, most int, key func(*fieldChange) changeKey) []*fieldChange {
	n := map[changeKey]int{}
	for _, c := range list {
		if c.heavy >= from {
			n[key(c)]++
		}
	}
	groups := map[changeKey][]*fieldChange{}
	var out []*fieldChange
	for _, c := range list {
		k := key(c)
		if c.heavy < from || n[k] <= most {
			out = append(out, c)
			continue
		}
		if groups[k] = append(groups[k], c); len(groups[k]) == n[k] {
			out = append(out, together(groups[k]))
		}
	}
	return out
}

// together are changes of one kind as one, with the values of the first.
func together(list []*fieldChange) *fieldChange {
	one := *list[0]
	one.at = slices.Clone(one.at)
	one.of = finding.Objects{}
	one.objects, one.fields = nil, 0
	for _, c := range list {
		if c.pattern == one.pattern {
			finding.Starred(one.at, c.at)
		} else {
			one.pattern, one.at = bulkOf(one.pattern), nil
		}
		one.differ = one.differ || c.differ || c.values != one.values
		one.fields += c.fields
		one.objects = append(one.objects, c.objects...)
		one.heavy = min(one.heavy, c.heavy)
		for _, t := range c.of.First {
			one.of.Name(t)
		}
	}
	slices.Sort(one.objects)
	one.objects = slices.Compact(one.objects)
	one.of.N = len(one.objects)
	one.of.Kinds = []finding.KindCount{{Kind: list[0].of.Kinds[0].Kind, N: one.of.N}}
	return &one
}

// equal puts equal changes of several kinds into one.
func equal(list []*fieldChange) []*fieldChange {
	at := map[changeKey]*fieldChange{}
	var out []*fieldChange
	for _, c := range list {
		key := changeKey{"", report.Filled(c.pattern, c.at), c.values}
		one := at[key]
		if one == nil || c.differ || one.differ {
			copied := *c
			copied.of = c.of.Clone()
			at[key] = &copied
			out = append(out, &copied)
			continue
		}
		one.fields += c.fields
		one.heavy = min(one.heavy, c.heavy)
		one.of.N += c.of.N
		one.of.Kinds = append(one.of.Kinds, c.of.Kinds...)
		for _, t := range c.of.First {
			one.of.Name(t)
		}
	}
	return out
}

// changed are the changes that no cause says.
func (w *Run) changed() []model.Block {
	m := &w.changes
	var out []model.Block
	say := func(what, names string) {
		if names != "" {
			out = append(out, model.Paragraph{Apart: true, Label: model.Say(what + ":"), Text: model.Say(names)})
		}
	}
	add := func(what string, of *finding.Objects) { say(what, w.named(of)) }
	say("Deleted", w.all(&m.deleted))
	say("Deleting", w.all(&m.deleting))
	say("Deleted and created again", w.all(&m.recreated))
	if gist := m.gist(); gist != "" {
		var blocks []model.Block
		if t := w.changeTable(); t.Rows != nil {
			blocks = append(blocks, t)
		}
		out = append(out, page.Part("Changes: "+gist, blocks...))
	}
	say("Hooks run and are removed again", w.all(&m.removed))
	say("Hooks run", w.all(&m.ran))
	add("Created", &m.created)
	add("Only ownership changes", &w.ownership)
	return out
}

// gist counts the changes; empty for none.
func (m *changesMade) gist() string {
	var gist []string
	if m.fields > 0 {
		gist = append(gist, words.Count(m.fields, "field")+" of "+words.Count(m.objects, "object"))
	}
	if m.versions > 0 {
		noun := words.Agree(m.versions, "version or checksum in a label", "versions and checksums in labels")
		gist = append(gist, fmt.Sprintf("%d %s", m.versions, noun))
	}
	if m.annotated > 0 {
		gist = append(gist, "the last-applied annotation rewritten on "+words.Count(m.annotated, "object"))
	}
	if m.unannotated > 0 {
		gist = append(gist, "the last-applied annotation removed from "+words.Count(m.unannotated, "object"))
	}
	return words.And(gist)
}

// changeTable has a row for each change, with its objects and its line.
func (w *Run) changeTable() model.Table {
	t := model.Table{Columns: make([]model.Column, 4), Shown: shownChanges}
	if w.o.Headline {
		t.Columns = []model.Column{{Title: "Change"}, {Title: "Object"}}
	}
	rows := w.changes.rows(w.o.Verbose)
	more := 0
	if w.o.Headline && len(rows) > shownChanges {
		// Nothing unfolds there: the objects have the rest.
		rows, more = rows[:shownChanges], len(rows)-shownChanges
	}
	for _, c := range rows {
		field, at := report.Filled(c.pattern, c.at), words.Place(c.source)
		values := c.becomes
		if c.differ {
			values = model.Textf("%v, …", values)
		}
		if w.o.Headline {
			t.Rows = append(t.Rows, []model.Text{fieldBecomes(field, values), placedIn(c.where(w), at)})
			continue
		}
		t.Rows = append(t.Rows, []model.Text{model.Say(c.where(w)), {model.Field.Of(field)}, values, {model.Faint.Of(at)}})
	}
	if more > 0 {
		t.Rows = append(t.Rows, []model.Text{model.Say(fmt.Sprintf("… %d more", more)), nil})
	}
	return t
}

// inCell is how many columns the objects of a change take where they are named.
const inCell = 44

// where names the objects of a change, or counts them by their kinds.
func (c *fieldChange) where(w *Run) string {
	in := w.named(&c.of)
	if c.of.N > 1 && glyph.Columns(in) > inCell {
		in = c.of.String()
	}
	if c.of.N > 1 && c.fields > c.of.N || c.of.N == 1 && c.fields > 1 {
		in += fmt.Sprintf(" (%d fields)", c.fields)
	}
	return in
}

// fieldBecomes is a field with its values in a cell: what changes first, and no longer than a
// page is wide.
func fieldBecomes(field string, values model.Text) model.Text {
	out := model.Text{model.Field.Of(shortField(field))}
	if len(values) > 0 {
		out = model.Textf("%v %v", out, narrowed(values))
	}
	return out
}

// placedIn is an object with its line in a cell.
func placedIn(object, at string) model.Text {
	out := model.Say(glyph.Cut(object, inNarrow))
	if at != "" {
		out = model.Textf("%v %v", out, model.Faint.Of(glyph.Cut(at, inNarrow)))
	}
	return out
}

// inNarrow is how many columns one word of a cell takes at most where a page is narrow.
const inNarrow = 40

// narrowed are values that each take at most half of a narrow cell, so that what differs in
// them is shown.
func narrowed(values model.Text) model.Text {
	var at []int
	for i, s := range values {
		if s.Role == model.Value {
			at = append(at, i)
		}
	}
	out := slices.Clone(values)
	for i := range out {
		out[i].Text = glyph.Cut(out[i].Text, inNarrow+inNarrow/2)
	}
	if len(at) == 2 {
		out[at[0]].Text, out[at[1]].Text = page.Differing(values[at[0]].Text, values[at[1]].Text, inNarrow/2+4)
	}
	return out
}

// shortField leaves out of a long path what is in its middle, at dots.
func shortField(field string) string {
	if glyph.Columns(field) <= inNarrow {
		return field
	}
	head, tail := field, field
	if i := strings.Index(field[1:], "."); i >= 0 {
		head = field[:i+1]
	}
	for glyph.Columns(head+"…"+tail) > inNarrow+1 {
		i := strings.IndexByte(tail[1:], '.')
		if i < 0 {
			break
		}
		tail = tail[i+1:]
	}
	return glyph.Cut(head+"…"+tail[1:], inNarrow)
}
