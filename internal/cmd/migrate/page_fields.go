package migrate

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// lossWords say what happens to a lost field.
var lossWords = map[migration.LossKind]string{
	migration.ToOthers: "others own it too",
	migration.Default:  "unowned, a default",
	migration.LeftOver: "unowned, and no default",
	migration.Unsorted: "unowned",
	migration.Gone:     "gone from the object",
}

// wonAndLost lists every field.
func wonAndLost(o page.Options, m migration.Migration) []model.Block {
	if !o.Verbose {
		return nil
	}
	t := model.Table{Columns: make([]model.Column, 3), Shown: page.Shown}
	add := func(kind report.ChangeKind, field, note string) {
		t.Rows = append(t.Rows, []model.Text{{page.Signs[kind]}, {model.Field.Of(field)}, {model.Faint.Of(note)}})
	}
	for _, w := range m.Gained {
		from := "unowned before"
		if len(w.From) > 0 {
			from = "from " + words.Writers(w.From)
		}
		add(report.Added, w.Field, from)
	}
	for _, l := range m.Lost {
		if l.Kind != migration.ToTarget {
			add(report.Removed, l.Field, words.Writers([]report.Writer{l.By})+": "+lossWords[l.Kind])
		}
	}
	if t.Rows == nil {
		return nil
	}
	return []model.Block{page.Part("Fields gained and lost", t)}
}

var bodyWords = map[migration.Basis]string{
	migration.ByManifest:   "the manifest",
	migration.ByAnnotation: "what the annotation says",
	migration.ByEntry:      "what it applied last",
}

// nextApply says what the next apply does, now and after the migration.
func nextApply(n *migration.Next) []model.Block {
	if n == nil {
		return nil
	}
	title := model.Textf("When %v next applies %v (simulated)", model.Manager.Of(n.Manager), bodyWords[n.Body])
	return []model.Block{model.Section{Title: title, Blocks: []model.Block{
		model.List{Items: []model.Item{applied("now", n.Before), applied("then", n.After)}},
	}}}
}

// applied is one simulated apply: its outcome, and what it does to fields.
func applied(label string, n migration.NextApply) model.Item {
	// The generation counts along with whatever else changes.
	changes := slices.DeleteFunc(slices.Clone(n.Changes), func(c report.Change) bool { return c.Field == ".metadata.generation" })
	text := appliedText(n, len(changes))
	switch len(n.Kept) {
	case 0:
	case 1:
		text = model.Textf("%v, 1 dropped field stays", text)
	default:
		text = model.Textf("%v, %v dropped fields stay", text, len(n.Kept))
	}
	item := page.LabeledItem(label, text)
	t := model.Table{Columns: make([]model.Column, 3), Shown: page.Shown}
	add := func(sign model.Span, field string, note model.Text) {
		t.Rows = append(t.Rows, []model.Text{{sign}, {model.Field.Of(field)}, note})
	}
	for _, c := range n.Conflicts {
		add(model.Bad.Of("!"), c.Field, model.Textf("owned by %v", model.Manager.Of(words.Writers([]report.Writer{c.Writer}))))
	}
	for _, c := range changes {
		values := page.ChangeValues(c)
		if strings.HasSuffix(c.Field, migration.LastApplied) && c.Kind == report.Modified {
			values = model.Say("rewritten by the server")
		}
		add(page.Signs[c.Kind], c.Field, values)
	}
	for _, k := range n.Kept {
		by := model.Say("unowned")
		if len(k.By) > 0 {
			by = model.Textf("kept by %v", model.Manager.Of(words.Writers(k.By)))
		}
		add(model.Plain.Of("="), k.Field, by)
	}
	if t.Rows != nil {
		item.Blocks = []model.Block{t}
	}
	return item
}

// appliedText is the result of an apply that changes n fields.
func appliedText(n migration.NextApply, changed int) model.Text {
	switch {
	case n.Outcome == report.Conflicted:
		return model.Text{model.Bad.Of(words.Count(len(n.Conflicts), "conflict"))}
	case n.Outcome.Refused():
		return model.Textf("%v: %v", model.Bad.Of(strings.ToLower(string(n.Outcome))), strings.TrimSpace(glyph.FirstLine(n.Message)))
	case changed == 0 && n.Outcome == report.Configured:
		return model.Say("only ownership changes")
	case changed == 0:
		return model.Text{model.Good.Of("nothing changes")}
	case changed == 1:
		return model.Text{model.Changed.Of("1 field changes")}
	}
	return model.Text{model.Changed.Of(words.Count(changed, "field") + " change")}
}
