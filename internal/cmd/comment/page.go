package comment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

const (
	// shownRows is how many rows of the table are enough, shownFields how many changes of an
	// object.
	shownRows   = 25
	shownFields = 20
	// inCell and inText are the most columns of a value or name, and of a sentence.
	inCell = 80
	inText = 400
)

// titleOf is the name of an answer by the kind of its document.
func titleOf(kind string) string {
	if kind == report.Kind {
		return "Server-Side Apply"
	}
	return "ssactl: " + glyph.Cut(strings.TrimSuffix(kind, "Report"), inCell)
}

// pageOf is the comment on a report; false where there is nothing to say: no finding counts,
// nothing is refused, and nothing changes.
func pageOf(d document) (model.Document, bool) {
	objects := d.all()
	rows, fixed := rowsOf(objects), fixedIn(objects)
	changed, fields := changesIn(d, objects)
	if len(rows)+len(fixed)+changed+len(d.Problems)+len(d.Settings) == 0 && d.Interrupted == nil {
		return model.Document{}, false
	}
	out := model.Document{Head: model.Head{
		Title: titleOf(d.Kind), Server: d.Server.Version,
		Problems: page.Problems(d.Problems), Settings: page.Settings(d.Settings),
	}}
	out.Headline = []model.Text{verdict(d, objects)}
	out.Headline = append(out.Headline, summary(d, objects, changed, fields)...)
	if len(rows) > 0 {
		out.First = []model.Block{tableOf(rows)}
	}
	if len(fixed) > 0 {
		out.Blocks = append(out.Blocks, page.Part("Fixed by this change", model.List{Items: fixed, Shown: page.Shown}))
	}
	for _, r := range objects {
		if s, says := sectionOf(r); says {
			out.Sections = append(out.Sections, s)
		}
	}
	// The details are folded, those of one object too.
	out.Total = max(2, len(out.Sections))
	return out, true
}

// verdict is the title: what is refused, and how many findings there are.
func verdict(d document, objects []result) model.Text {
	n := map[report.Severity]int{}
	for _, r := range objects {
		for _, f := range r.Findings {
			if f.counts() {
				n[f.Severity]++
			}
		}
	}
	refused, failed := d.Summary.Conflicted+d.Summary.Invalid, d.Summary.Failed
	if c := d.Summary.Comparison; c != nil && !c.Existing {
		refused, failed = c.Refused, c.Failed
	}
	counts := page.Enumerated(slices.Concat([]page.Counted{
		page.Of(model.Bad, refused, words.Agree(refused, "object rejected", "objects rejected")),
		page.Of(model.Bad, failed, words.Agree(failed, "object without an answer", "objects without an answer")),
	}, page.OfSeverity(n)))
	if len(d.Problems) > 0 {
		return model.Textf("%v could not be read", words.Count(len(d.Problems), "input"))
	}
	if counts == nil {
		return model.Say("no findings")
	}
	return counts
}

// summary are the sentences below the title.
func summary(d document, objects []result, changed, fields int) []model.Text {
	var out []model.Text
	total := cmp.Or(d.Summary.Total, len(objects))
	gist := fmt.Sprintf("%s, %s", words.Count(changed, "object"), words.Count(fields, "field"))
	managers := map[string]bool{}
	for _, r := range objects {
		managers[r.Manager] = true
	}
	as := model.Text{}
	if len(managers) == 1 && objects[0].Manager != "" {
		as = model.Textf(", as %v", model.Manager.Of(glyph.Cut(objects[0].Manager, inCell)))
	}
	c := d.Summary.Comparison
	switch {
	case c != nil:
		out = append(out, model.Textf("This change: %v (of %v, since %v)%v.", gist, words.Count(c.Differ+c.Same, "object"),
			glyph.Cut(c.Base, inCell), as))
		if stood := c.Stood(); stood != "" {
			out = append(out, model.Say(strings.TrimSuffix(stood, "; --all shows "+words.Them(c.Before.Total())+".")+"."))
		}
	case d.Results != nil:
		out = append(out, model.Textf("This apply: %v (of %v)%v.", gist, words.Count(total, "object"), as))
	}
	if d.Interrupted != nil {
		out = append(out, model.Say(words.Interrupted(d.Interrupted)))
	}
	if d.FailOn.Met() {
		out = append(out, model.Say("exit 1: "+glyph.Cut(d.FailOn.String(), inText)))
	}
	return out
}

// changesIn counts the objects and the fields that change, without what the server does by
// itself and what the manifests before the change do too.
func changesIn(d document, objects []result) (changed, fields int) {
	for _, r := range objects {
		own := changesOf(r)
		if len(own) > 0 || r.Outcome == report.Created || r.Deleted {
			changed++
		}
		fields += len(own)
	}
	if c := d.Summary.Comparison; c != nil {
		return c.Differ, c.Fields
	}
	return changed, fields
}

// changesOf are the changes of an object that are listed.
func changesOf(r result) []report.Change {
	byServer := []report.Reason{report.ReasonDefaulted, report.ReasonNormalised, report.ReasonStrategy}
	return slices.DeleteFunc(slices.Clone(r.Changes), func(c report.Change) bool {
		return c.Cause == report.StoodBefore || slices.Contains(byServer, c.Reason)
	})
}

// row is what is said once of findings that say the same, but for their objects.
type row struct {
	finding
	objects int
}

// rowsOf are the rows of the table, the worst first.
func rowsOf(objects []result) []*row {
	type key struct {
		rule, field, kind, values string
		severity                  report.Severity
	}
	var out []*row
	at := map[key]*row{}
	for _, r := range objects {
		for _, f := range r.Findings {
			if !f.counts() {
				continue
			}
			pattern, _ := report.Pattern(f.Field)
			k := key{f.Rule, pattern, f.Target.Kind, values(f.Before, f.After).String(), f.Severity}
			if f.Field == "" {
				k.values = f.Message
			}
			if one := at[k]; one != nil {
				one.objects++
				continue
			}
			f.Source = cmp.Or(f.Source, r.Source)
			one := &row{f, 1}
			at[k], out = one, append(out, one)
		}
	}
	slices.SortStableFunc(out, func(a, b *row) int { return a.Severity.Rank() - b.Severity.Rank() })
	return out
}

// tableOf is the table of findings.
func tableOf(rows []*row) model.Table {
	t := model.Table{
		Columns: []model.Column{{Title: "Severity"}, {Title: "Before → after"}, {Title: "Object"}}, Shown: shownRows}
	for i, f := range rows {
		if i == shownRows {
			t.Rows = append(t.Rows, []model.Text{nil, model.Say(fmt.Sprintf("… %d more", len(rows)-i)), nil})
			break
		}
		on := model.Say(nameOf(f.Target))
		if at := words.Place(&f.Source); at != "" {
			on = model.Textf("%v %v", on, model.Faint.Of(glyph.Cut(at, inCell)))
		}
		if f.objects > 1 {
			on = model.Textf("%v and %v more", on, f.objects-1)
		}
		t.Rows = append(t.Rows, []model.Text{{page.SeverityWord(f.Severity)}, becomes(f.finding), on})
	}
	return t
}

// becomes is a field with its values and whose it is, or what the finding says.
func becomes(f finding) model.Text {
	if f.Field == "" {
		return model.Textf("%v (%v)", glyph.Cut(text.FirstLine(f.Message), inCell*2), f.Rule)
	}
	out := model.Textf("%v", model.Field.Of(glyph.Cut(f.Field, inCell)))
	if v := values(f.Before, f.After); v != nil {
		out = model.Textf("%v %v", out, v)
	}
	if f.Manager != "" {
		out = model.Textf("%v (%v)", out, model.Manager.Of(glyph.Cut(f.Manager, inCell)))
	}
	return model.Textf("%v, %v", out, f.Rule)
}

// values are two values of a field; nil for none.
func values(before, after any) model.Text {
	if before == nil && after == nil {
		return nil
	}
	was, is := words.Both(before, after)
	one := func(v any, said string) model.Text {
		if v == nil {
			return model.Say("(none)")
		}
		return model.Text{model.Value.Of(glyph.Cut(said, inCell/2))}
	}
	return model.Textf("%v -> %v", one(before, was), one(after, is))
}

// nameOf is an object in a cell.
func nameOf(t report.Target) string {
	return glyph.Cut(words.Object(t)+words.Where(t), inCell)
}

// fixedIn are the findings that the change fixes.
func fixedIn(objects []result) []model.Item {
	var out []model.Item
	for _, r := range objects {
		for _, f := range r.Findings {
			if f.Cause == report.FixedByChange {
				out = append(out, model.Item{
					Text: model.Textf("%v %v: %v", page.SeverityWord(f.Severity), nameOf(f.Target), becomes(f))})
			}
		}
	}
	return out
}

// sectionOf are the details of an object; false for one without any.
func sectionOf(r result) (model.Section, bool) {
	var blocks []model.Block
	n := 0
	for _, f := range r.Findings {
		if !f.counts() {
			continue
		}
		n++
		says := model.Textf("%v %v", page.SeverityWord(f.Severity), glyph.Cut(text.FirstLine(f.Message), inText))
		if f.Field != "" {
			says = model.Textf("%v %v: %v", page.SeverityWord(f.Severity), model.Field.Of(glyph.Cut(f.Field, inCell)),
				glyph.Cut(text.FirstLine(f.Message), inText))
		}
		blocks = append(blocks, model.Paragraph{Text: model.Textf("%v (%v). %v", says, f.Rule, glyph.Cut(f.Why, inText))})
		if line := f.command(); line != "" {
			blocks = append(blocks, model.Command{Line: line})
		} else if len(f.Fixes) > 0 && f.Fixes[0].Command == "" {
			blocks = append(blocks, model.Paragraph{Text: model.Say(glyph.Cut(f.Fixes[0].Does, inText))})
		}
	}
	changes := changesOf(r)
	if l := (model.List{Shown: shownFields}); len(changes) > 0 {
		for i, c := range changes {
			if i == shownFields {
				l.Items = append(l.Items, model.Item{Text: model.Say(fmt.Sprintf("… %d more", len(changes)-i))})
				break
			}
			l.Items = append(l.Items, model.Item{Text: model.Textf("%v %v", model.Field.Of(glyph.Cut(c.Field, inCell)),
				values(c.Before, c.After))})
		}
		blocks = append(blocks, l)
	}
	if len(blocks) == 0 && r.Outcome != report.Created && !r.Deleted && !r.Removed {
		return model.Section{}, false
	}
	gist := page.Enumerated([]page.Counted{
		page.Of(model.Plain, n, words.Agree(n, "finding", "findings")),
		page.Of(model.Plain, len(changes), words.Agree(len(changes), "field changes", "fields change")),
	})
	return model.Section{Title: model.Textf("%v: %v", model.Strong.Of(nameOf(r.Target)), model.Join(slices.DeleteFunc(
		[]model.Text{model.Say(came(r)), gist}, func(t model.Text) bool { return t == nil }), ", ")),
		Weight: model.Change, Blocks: blocks}, true
}

// came is what came of an object in a word; empty for one of a command that writes nothing.
func came(r result) string {
	switch {
	case r.Removed:
		return "removed from the manifests"
	case r.Deleted:
		return "deleted"
	case r.Outcome == report.Invalid:
		return "rejected"
	}
	return strings.ToLower(string(r.Outcome))
}
