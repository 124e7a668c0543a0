package migrate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/writes"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// groups are the objects of a run by their verdicts, the blocked ones first; those with
// nothing to migrate and nothing to say are counted only.
func groups(list []migration.Migration) []model.Block {
	order := []migration.Verdict{migration.Failed, migration.Blocked, migration.Migrates, migration.NothingToDo}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b migration.Migration) int {
		return cmp.Compare(slices.Index(order, a.Verdict), slices.Index(order, b.Verdict))
	})
	return page.Grouped(list, func(m migration.Migration) model.Text {
		if m.Verdict == migration.NothingToDo && len(m.Findings) == 0 {
			return nil
		}
		m.Source = report.Source{}
		return migrateVerdict(m)
	}, func(m migration.Migration) (report.Target, model.Text) {
		return m.Target, migrateVerdict(m)
	}, func(list []migration.Migration) []model.Block {
		blocks := nextApplies(list)
		if remarks := remarks(list); remarks.Items != nil {
			blocks = append(blocks, remarks)
		}
		return blocks
	})
}

// nextApplies say what the next applies do now, and what after the migration, with each
// value that they change then.
func nextApplies(list []migration.Migration) []model.Block {
	var n, conflicts, changes, left, versions, annotated int
	var rows, conflicting [][]model.Text
	for _, m := range list {
		if m.Next == nil {
			continue
		}
		n++
		conflicts += len(m.Next.Before.Conflicts)
		for _, c := range changesOf(m.Next.After) {
			changes++
			switch {
			case writes.CarriesVersion(c):
				versions++
			case writes.RewritesLastApplied(c):
				annotated++
			default:
				rows = append(rows, row(m.Target, c.Field, page.ChangeValues(c)))
			}
		}
		for _, c := range m.Next.After.Conflicts {
			left++
			values := model.Textf(
				"%v -> %v, of %v",
				page.ValueOf(report.Value{Value: c.Live, Missing: c.LiveMissing}, model.Value),
				page.ValueOf(report.Value{Value: c.Applied, Missing: c.AppliedMissing}, model.Value),
				page.WriterOf(writerOf(c)),
			)
			conflicting = append(conflicting, row(m.Target, c.Field, values))
		}
	}
	if n == 0 {
		return nil
	}
	then := words.Count(changes, "change")
	if left > 0 {
		then += ", " + words.Count(left, "conflict")
	}
	out := []model.Block{
		page.Paragraph("next apply (simulated): %v now; after the migration %v", words.Count(conflicts, "conflict"), then),
	}
	if conflicting != nil {
		out = append(out, page.Paragraph("It then conflicts over:"), model.Table{Columns: valueColumns, Rows: conflicting,
			Shown: shownValues})
	}
	if rows != nil {
		out = append(
			out,
			page.Paragraph("It then changes:"),
			model.Table{Columns: valueColumns, Rows: rows, Shown: shownValues},
		)
	}
	var rest []string
	if versions > 0 {
		rest = append(
			rest,
			fmt.Sprintf(
				"%d %s",
				versions,
				words.Agree(versions, "version or checksum in a label", "versions and checksums in labels"),
			),
		)
	}
	if annotated > 0 {
		rest = append(rest, "the last-applied annotation of "+words.Count(annotated, "object"))
	}
	if rest != nil {
		out = append(out, page.Paragraph("It then changes %v too.", words.And(rest)))
	}
	return out
}

// shownValues is how many values that an apply changes are enough.
const shownValues = 40

// valueColumns are those of fields with their values.
var valueColumns = []model.Column{{Title: "OBJECT"}, {Title: "FIELD"}, {Title: "VALUE"}}

// row is a field of an object with its values.
func row(t report.Target, field string, values model.Text) []model.Text {
	return []model.Text{model.Say(words.Object(t)), {model.Field.Of(field)}, values}
}

// writerOf is the owner in a conflict, without what its time and version say.
func writerOf(c report.Conflict) report.Writer {
	w := c.Writer
	w.APIVersion, w.Time = "", nil
	return w
}

// remarks are the findings, the worst first: those that say the same of the same field are
// one, with their objects where these are not all.
func remarks(list []migration.Migration) model.List {
	type remark struct {
		finding report.Finding
		objects []string
	}
	var said []*remark
	at := map[string]*remark{}
	for _, m := range list {
		for _, f := range m.Findings {
			key := f.Rule + "\n" + f.Field + "\n" + migrateNote(f).String()
			if at[key] == nil {
				at[key] = &remark{finding: f}
				said = append(said, at[key])
			}
			if name := words.Object(m.Target); !slices.Contains(at[key].objects, name) {
				at[key].objects = append(at[key].objects, name)
			}
		}
	}
	slices.SortStableFunc(said, func(a, b *remark) int {
		return cmp.Compare(a.finding.Severity.Rank(), b.finding.Severity.Rank())
	})
	l := model.List{Shown: shownValues}
	for _, one := range said {
		item := migrateRemark(one.finding)
		switch n := len(one.objects); {
		case n == len(list) && n > 1:
			item.Text = model.Textf("%v (%v)", item.Text, words.Count(n, "object"))
		case n < len(list):
			item.Text = model.Textf("%v (%v)", item.Text, words.Some(one.objects, namedObjects, n))
		}
		l.Items = append(l.Items, item)
	}
	return l
}

// namedObjects is how many objects a remark names.
const namedObjects = 3

var severityLabels = map[report.Severity]model.Text{
	report.SeverityError: {
		model.Bad.Of("error"),
	}, report.SeverityWarning: {model.Changed.Of("warning")}, report.SeverityNote: {model.Faint.Of("note")},
}

// migrateRemark is a finding with what to do about it.
func migrateRemark(f report.Finding) model.Item {
	return model.Item{Label: severityLabels[f.Severity], Text: migrateNote(f)}
}

func migrateNote(f report.Finding) model.Text {
	text := model.Textf("%v: %v", f.Rule, f.Message)
	if f.Field != "" {
		text = model.Textf("%v: %v: %v", f.Rule, model.Field.Of(f.Field), f.Message)
	}
	for _, fix := range f.Fixes {
		text = model.Textf("%v (%v)", text, fix.Does)
	}
	return text
}
