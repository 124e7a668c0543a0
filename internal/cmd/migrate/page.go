package migrate

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/writes"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// layOut shows how objects move to server-side apply: of each who becomes whom
// and why, what is won and lost, and what the next apply does then.
func layOut(d migration.Document, o page.Options) model.Document {
	out := page.Document(o, "Migrate to server-side apply", d.Head, d.Ending, d.Objects, migrationSection)
	var rules finding.Rules
	for _, r := range d.Summary.Rules {
		// Of a rule that found things of several severities, the heaviest counts: it comes first.
		if rules.Index(r.Rule) < 0 {
			rules = append(rules, migration.Rules().Of(r.Rule).At(r.Severity))
		}
	}
	out.Rules = append(page.RuleModels("", finding.Rules{finding.NoAnswer}), page.RuleModels("migrate/", rules)...)
	if d.Summary.Total > 1 || d.Interrupted != nil {
		s := d.Summary
		out.Lead = append([]model.Text{page.Total(
			s.Total, "object", page.Of(model.Changed, s.Migrates, "to migrate"),
			page.Of(model.Plain, s.NothingToDo, "with nothing to migrate"),
			page.Of(model.Bad, s.Blocked, "blocked"), page.Of(model.Bad, s.Failed, "failed"),
		)}, page.InterruptedLine(d.Interrupted)...)
		page.GroupMany(&out, groups(d.Objects), "-v shows each object, -o kubectl prints the commands.")
	} else if d.Summary.Migrates > 0 {
		out.Blocks = append(out.Blocks, model.Paragraph{Apart: true, Text: model.Text{model.Faint.Of("-o kubectl prints the command that does it.")}})
	}
	return out
}

// migrationSection is the section of one object.
func migrationSection(o page.Options, m migration.Migration) model.Section {
	verdict := migrateVerdict(m)
	s := model.Section{
		Title: page.Titled(m.Target, verdict), Weight: migrateWeights[m.Verdict],
		Subject: page.SubjectOf(m.Target, m.Source, migrateOutcomes[m.Verdict], verdict),
	}
	if m.Verdict == migration.NothingToDo && len(m.Findings) > 0 {
		s.Weight = model.Detail
	}
	add := func(blocks ...model.Block) { s.Blocks = append(s.Blocks, blocks...) }
	add(believed(o, m)...)
	if m.Verdict == migration.Migrates {
		add(wonAndLost(o, m)...)
		if n := m.Next; n != nil {
			add(model.Section{
				Title:  model.Textf("When %v next applies %v (simulated)", model.Manager.Of(n.Manager), bodyWords[n.Body]),
				Blocks: []model.Block{model.List{Items: []model.Item{applied("before", n.Before), applied("after", n.After)}}},
			})
		}
	}
	if m.Verdict == migration.Failed {
		s.Findings = writes.AnswerFindings(
			o,
			report.Result{Target: m.Target, Source: m.Source, Outcome: report.Failed, Error: m.Error},
		)
	}
	findings := model.List{}
	for _, f := range m.Findings {
		findings.Items = append(findings.Items, migrateRemark(f))
		t := m.Target
		s.Findings = append(s.Findings, model.Finding{
			Rule: "ssactl/migrate/" + f.Rule, Level: page.Severities[f.Severity].Level, Title: f.Rule + ": " + words.Object(t),
			Message: migrateNote(f).String(), Fails: f.Severity == report.SeverityError,
			File: m.Source.File, Line: m.Source.Line, Class: page.Class(t), Object: page.Qualified(t), Name: t.Name,
			Field:    f.Field,
			Identity: []string{f.Rule, t.APIVersion, t.Kind, t.Namespace, t.Name, f.Field},
		})
		if f.Severity != report.SeverityNote {
			s.Notes = append(s.Notes, migrateNote(f))
		}
	}
	if findings.Items != nil {
		add(page.Part("Remarks", findings))
	}
	if m.NoPatch != "" {
		add(model.Paragraph{Label: model.Say("No patch:"), Text: model.Say(m.NoPatch)})
	}
	return s
}

var (
	migrateWeights = map[migration.Verdict]model.Weight{
		migration.Migrates: model.Change, migration.NothingToDo: model.Dull, migration.Blocked: model.Decision,
		migration.Failed: model.Decision,
	}
	migrateOutcomes = map[migration.Verdict]report.Outcome{
		migration.Migrates: report.Configured, migration.NothingToDo: report.Unchanged, migration.Blocked: report.Invalid,
		migration.Failed: report.Failed,
	}
)

// believed says who gets the fields and whose they are, with the reasons.
func believed(o page.Options, m migration.Migration) []model.Block {
	l := model.List{}
	add := func(label string, text model.Text) { l.Items = append(l.Items, page.LabeledItem(label, text)) }
	migrates := m.Verdict == migration.Migrates
	if migrates {
		add("to", model.Textf("%v: %v", model.Manager.Of(m.To.Manager), m.To.Reason))
	}
	for _, b := range m.Evidence {
		label := "left alone"
		switch {
		case b.Migrated:
			label = "from"
		case b.Strength == migration.Unrelated && !o.Verbose:
			continue
		}
		add(
			label,
			model.Textf(
				"%v, %v; %v: %v",
				page.WriterOf(b.Writer),
				words.Since(b.Time, o.Now),
				strings.ToLower(string(b.Strength)),
				model.Join(model.Said(b.Reasons), "; "),
			),
		)
	}
	if a := m.Annotation; migrates && a.Effect != migration.Absent {
		text := model.Say(strings.ToLower(string(a.Effect)))
		if !a.Reason.IsZero() {
			text = model.Textf("%v: %v", text, a.Reason)
		}
		add("annotation", text)
	}
	if migrates {
		if len(m.Gained)+len(m.Lost) > 0 {
			add("fields", model.Say(fieldNumbers(m)))
		}
		add("before", entryTexts(m.Before, m.Target.APIVersion))
		add("after", entryTexts(m.After, m.Target.APIVersion))
	}
	if l.Items == nil {
		return nil
	}
	return []model.Block{l}
}

// entryTexts name entries with the number of their fields, and with their API
// version where it is not the object's.
func entryTexts(list []migration.EntrySummary, version string) model.Text {
	if len(list) == 0 {
		return model.Say("none")
	}
	var out []model.Text
	for _, e := range list {
		w := e.Writer
		if w.APIVersion == version {
			w.APIVersion = ""
		}
		out = append(out, model.Textf("%v %v", page.WriterOf(w), e.Fields))
	}
	return model.Join(out, ", ")
}

// fieldNumbers counts wins and losses.
func fieldNumbers(m migration.Migration) string {
	kinds := map[migration.LossKind]int{}
	seen := map[string]bool{}
	for _, l := range m.Lost {
		if key := string(l.Kind) + l.Field; !seen[key] {
			seen[key] = true
			kinds[l.Kind]++
		}
	}
	parts := []string{fmt.Sprintf("%d gained", len(m.Gained))}
	for _, loss := range losses {
		if n := kinds[loss.kind]; n > 0 && loss.counted != "" {
			parts = append(parts, fmt.Sprintf("%d %s", n, loss.counted))
		}
	}
	return strings.Join(parts, "; ")
}

// losses say what happens to lost fields: to several that are counted, and to each.
var losses = []struct {
	kind          migration.LossKind
	counted, each string
}{
	{migration.Default, "left unowned, as defaults that the server fills in by itself", "unowned, a default"},
	{migration.LeftOver, "left unowned, though no defaults", "unowned, and no default"},
	{migration.Unsorted, "left unowned", "unowned"},
	{migration.ToOthers, "left to those who own them too", "others own it too"},
	{migration.Gone, "", "gone from the object"},
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
		for _, loss := range losses {
			if loss.kind == l.Kind {
				add(report.Removed, l.Field, words.Writers([]report.Writer{l.By})+": "+loss.each)
			}
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

// applied is one simulated apply: its outcome, and what it does to fields.
func applied(label string, n migration.NextApply) model.Item {
	changes := changesOf(n)
	text := appliedText(n, len(changes))
	if kept := len(n.Kept); kept > 0 {
		text = model.Textf("%v, %v %v", text, words.Count(kept, "dropped field"), words.Agree(kept, "stays", "stay"))
	}
	item := page.LabeledItem(label, text)
	t := model.Table{Columns: make([]model.Column, 3), Shown: page.Shown}
	add := func(sign model.Span, field string, note model.Text) {
		t.Rows = append(t.Rows, []model.Text{{sign}, {model.Field.Of(field)}, note})
	}
	for _, c := range n.Conflicts {
		add(
			model.Bad.Of("!"),
			c.Field,
			model.Textf("owned by %v", model.Manager.Of(words.Writers([]report.Writer{c.Writer}))),
		)
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
		return model.Textf(
			"%v: %v",
			model.Bad.Of(strings.ToLower(string(n.Outcome))),
			strings.TrimSpace(text.FirstLine(n.Message)),
		)
	case changed == 0 && n.Outcome == report.Configured:
		return model.Say("only ownership changes")
	case changed == 0:
		return model.Text{model.Good.Of("nothing changes")}
	}
	return model.Text{model.Changed.Of(words.Count(changed, "field") + " " + words.Agree(changed, "changes", "change"))}
}
