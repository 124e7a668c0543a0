package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/migrate"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// Migrate shows how objects move to server-side apply: of each who becomes whom
// and why, what is won and lost, and what the next apply does then.
func Migrate(d migrate.Document, o Options) model.Document {
	out := document(o, "Migrate to server-side apply", d.Head, d.Ending, d.Objects, o.migration)
	out.Rules = append([]model.Rule{ruleNoAnswer}, migrateRules(d.Summary.Rules)...)
	if d.Summary.Total > 1 || d.Interrupted != nil {
		out.Headline = append([]model.Text{migrateTotal(d.Summary)}, interruptedLine(d.Interrupted)...)
		out.Brief, out.First = true, migrateGroups(d.Objects)
		out.Blocks = append(out.Blocks, model.Paragraph{Apart: true, Text: model.Text{model.Faint.Of("-v shows each object, -o kubectl prints the commands.")}})
	}
	return out
}

func migrateTotal(s migrate.Summary) model.Text {
	return total(s.Total, "object",
		of(model.Changed, s.Migrates, "to migrate"), of(model.Plain, s.NothingToDo, "with nothing to migrate"),
		of(model.Bad, s.Blocked, "blocked"), of(model.Bad, s.Failed, "failed"))
}

// migration is the section of one object.
func (o Options) migration(m migrate.Migration) model.Section {
	verdict := migrateVerdict(m)
	s := model.Section{
		Title: titled(m.Target, verdict), Weight: migrateWeights[m.Verdict],
		Subject: subjectOf(m.Target, m.Source, migrateOutcomes[m.Verdict], verdict),
	}
	if m.Verdict == migrate.NothingToDo && len(m.Findings) > 0 {
		s.Weight = model.Detail
	}
	add := func(blocks ...model.Block) { s.Blocks = append(s.Blocks, blocks...) }
	add(o.believed(m)...)
	if m.Verdict == migrate.Migrates {
		add(o.wonAndLost(m)...)
		add(nextApply(m.Next)...)
	}
	if m.Verdict == migrate.Failed {
		s.Findings = o.answerFindings(report.Result{Target: m.Target, Source: m.Source, Outcome: report.Failed, Error: m.Error})
	}
	findings := model.List{}
	for _, f := range m.Findings {
		findings.Items = append(findings.Items, migrateRemark(f))
		s.Findings = append(s.Findings, migrateFinding(m, f))
		if f.Severity != report.SeverityNote {
			s.Notes = append(s.Notes, migrateNote(f))
		}
	}
	if findings.Items != nil {
		add(part("Remarks", findings))
	}
	if m.NoPatch != "" {
		add(model.Paragraph{Label: model.Say("No patch:"), Text: model.Say(m.NoPatch)})
	}
	return s
}

var (
	migrateWeights = map[migrate.Verdict]model.Weight{
		migrate.Migrates: model.Change, migrate.NothingToDo: model.Dull, migrate.Blocked: model.Decision, migrate.Failed: model.Decision,
	}
	migrateOutcomes = map[migrate.Verdict]report.Outcome{
		migrate.Migrates: report.Configured, migrate.NothingToDo: report.Unchanged, migrate.Blocked: report.Invalid, migrate.Failed: report.Failed,
	}
)

// migrateVerdict is the answer for one object.
func migrateVerdict(m migrate.Migration) model.Text {
	switch m.Verdict {
	case migrate.Failed:
		return noAnswer(m.Error)
	case migrate.Blocked:
		verdict := model.Text{model.Bad.Of("blocked")}
		verdict = model.Textf("%v%v", verdict, BlockedBy(m))
		if at := words.Place(&m.Source); at != "" {
			verdict = model.Textf("%v, %v", verdict, model.Faint.Of(at))
		}
		return verdict
	case migrate.NothingToDo:
		return model.Say("nothing to migrate")
	}
	becomes := becomesText(m)
	from := migratedFrom(m)
	switch {
	case len(from) == 1:
		return model.Text{model.Changed.Of(from[0] + " becomes " + becomes)}
	case len(from) > 1:
		return model.Text{model.Changed.Of(strings.Join(from, ", ") + " become " + becomes)}
	case len(m.Gained) > 0:
		return model.Text{model.Changed.Of("the annotation becomes " + becomes)}
	}
	return model.Text{model.Changed.Of("the annotation is dropped")}
}

func becomesText(m migrate.Migration) string {
	operation := "Apply"
	if m.Annotation.Effect == migrate.Written {
		operation = "Update"
	}
	return m.To.Manager + " (" + operation + ")"
}

// BlockedBy names the rules that block a plan, behind a colon; empty without
// any.
func BlockedBy(m migrate.Migration) string {
	var rules []string
	for _, f := range m.Findings {
		if f.Severity == report.SeverityError && !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	if rules == nil {
		return ""
	}
	return ": " + strings.Join(rules, ", ")
}

// migratedFrom are the managers of migrated entries, each once.
func migratedFrom(m migrate.Migration) []string {
	var names []string
	for _, b := range m.Evidence {
		if b.Migrated && !slices.Contains(names, b.Manager) {
			names = append(names, b.Manager)
		}
	}
	return names
}

// believed says who gets the fields and whose they are, with the reasons.
func (o Options) believed(m migrate.Migration) []model.Block {
	l := model.List{}
	add := func(label string, text model.Text) { l.Items = append(l.Items, labeledItem(label, text)) }
	migrates := m.Verdict == migrate.Migrates
	if migrates {
		add("to", model.Textf("%v: %v", model.Manager.Of(m.To.Manager), m.To.Reason))
	}
	for _, b := range m.Evidence {
		label := "left alone"
		switch {
		case b.Migrated:
			label = "from"
		case b.Strength == migrate.Unrelated && !o.Verbose:
			continue
		}
		add(label, model.Textf("%v, %v; %v: %v", writerOf(b.Writer), words.Since(b.Time, o.Now), strings.ToLower(string(b.Strength)), model.Join(model.Said(b.Reasons), "; ")))
	}
	if a := m.Annotation; migrates && a.Effect != migrate.Absent {
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
		add("entries", entryTexts(m.Before, m.Target.APIVersion))
		add("then", entryTexts(m.After, m.Target.APIVersion))
	}
	if l.Items == nil {
		return nil
	}
	return []model.Block{l}
}

// entryTexts name entries with the number of their fields, and with their API
// version where it is not the object's.
func entryTexts(list []migrate.EntrySummary, version string) model.Text {
	if len(list) == 0 {
		return model.Say("none")
	}
	var out []model.Text
	for _, e := range list {
		w := e.Writer
		if w.APIVersion == version {
			w.APIVersion = ""
		}
		out = append(out, model.Textf("%v %v", writerOf(w), e.Fields))
	}
	return model.Join(out, ", ")
}

// fieldNumbers counts wins and losses.
func fieldNumbers(m migrate.Migration) string {
	kinds := map[migrate.LossKind]int{}
	seen := map[string]bool{}
	for _, l := range m.Lost {
		if key := string(l.Kind) + l.Field; !seen[key] {
			seen[key] = true
			kinds[l.Kind]++
		}
	}
	parts := []string{fmt.Sprintf("%d gained", len(m.Gained))}
	for _, part := range []struct {
		kind migrate.LossKind
		what string
	}{
		{migrate.Default, "left unowned, as defaults that the server fills in by itself"},
		{migrate.LeftOver, "left unowned, though no defaults"},
		{migrate.Unsorted, "left unowned"},
		{migrate.ToOthers, "left to those who own them too"},
	} {
		if n := kinds[part.kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, part.what))
		}
	}
	return strings.Join(parts, "; ")
}
