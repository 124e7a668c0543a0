package writes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/findings"
	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// annotated is how many findings of a run stand at each of their lines; of more, a group
// that is no error stands at its first line only.
const annotated = 10

// findings are the groups for systems of CI that show few, the worst first, and then what
// makes the answers doubtful and the warnings of the server, each once.
func (w *Run) findings() []model.Finding {
	rows := 0
	for _, g := range w.Groups.Sorted() {
		rows += g.Fields
	}
	var out []model.Finding
	for _, g := range w.Groups.Sorted() {
		out = append(out, w.annotations(g, rows)...)
	}
	if deleted := &w.changes.deleted; deleted.N > 0 {
		out = append(
			out,
			findingOn(deleted.First[0], report.Source{}, ruleChange, "Deleted", wouldBe(w.o)+"deleted: "+w.all(deleted)),
		)
	}
	for _, g := range w.cautions.Sorted() {
		out = append(out, remark(caution(g, w.objects)))
	}
	for _, g := range w.warnings.Sorted() {
		f := g.Finding
		if g.Objects > 1 {
			f.Message = text.New("%v (%v)", f.Message, text.Count(g.Objects, "object"))
		}
		out = append(out, remark(f))
	}
	return out
}

// annotations are a group of a run with so many rows, at the lines that it is shown at: an
// error at each line once, others at all of theirs or at the first.
func (w *Run) annotations(g *finding.Group, rows int) []model.Finding {
	list := g.Rows
	isError := g.Severity == report.SeverityError && g.Rule != report.RuleNoAnswer
	if rows > annotated && !isError || g.Rule == risk.Takeover || g.Rule == report.RuleNoAnswer {
		list = list[:1]
	}
	var out []model.Finding
	at := map[report.Source]bool{}
	for _, f := range list {
		if isError && f.Source.Line > 0 {
			if at[f.Source] {
				continue
			}
			at[f.Source] = true
		}
		out = append(out, w.annotation(g, f, len(list) > 1))
	}
	return out
}

// lineFindings are what there is to look at in a result, each at its line, and then what makes
// the answer doubtful.
func lineFindings(o page.Options, r report.Result) []model.Finding {
	w := alone(o, r)
	w.Add(FactsOf(r))
	var out, remarks []model.Finding
	for _, f := range findingsOf(r) {
		if f.Rule == report.RuleCaveat || f.Rule == report.RuleServerWarning {
			remarks = append(remarks, remark(f))
			continue
		}
		if ofVersion(o, r, f) {
			continue
		}
		var one finding.Groups
		out = append(out, w.annotation(one.Add(1, f), f, true))
	}
	return append(out, remarks...)
}

// ofVersion reports whether a finding is about a label that carries a version, and asks for
// nothing: systems of CI show it as an alert.
func ofVersion(o page.Options, r report.Result, f report.Finding) bool {
	if f.Severity == report.SeverityError || o.Fails(f) {
		return false
	}
	return slices.ContainsFunc(r.Changes, func(c report.Change) bool {
		return c.Field == f.Field && (CarriesVersion(c) || RewritesLastApplied(c))
	})
}

// annotation is a group at a line: of one of its findings, or with the first of all.
func (w *Run) annotation(g *finding.Group, of report.Finding, one bool) model.Finding {
	message := w.annotationText(g, of, one)
	for _, other := range of.Others {
		message += "\n" + other.Message.String()
	}
	fix, lines := w.fix(g)
	if len(fix) > 0 && !announces(fix) {
		message += "\n" + strings.TrimSpace(fix.String())
	}
	if first, known := g.Recommended(); g.Rule == report.RuleRefused && known && first.Command.None() {
		// The commands are those of what may be done instead.
		lines = []string{first.Does.String()}
	}
	rule := model.Rule{ID: "ssactl/" + g.Rule, Level: page.Severities[g.Severity].Level}
	f := findingOn(of.Target, of.Source, rule, g.Rule, message)
	f.Fix = strings.Join(lines, "\n")
	if f.Fix == "" {
		f.Fix = settingText(g)
	}
	field := of.Field
	if len(of.Fields) > 0 {
		field = of.Fields[0]
	}
	if field != "" {
		f.Field = "." + strings.TrimPrefix(field, ".")
	}
	f.Fails = w.o.Fails(g.Finding)
	f.Enforced = f.Fails
	if field != "" && g.Rule != report.RuleRefused {
		f.Identity = slices.Concat(f.Identity[:identifying], []string{field, fromOf(of)})
	}
	return f
}

// annotationText is what a group is, and the values of one of its findings, or of the first of
// all.
func (w *Run) annotationText(g *finding.Group, of report.Finding, one bool) string {
	message := w.says(g).String()
	switch {
	case g.Rule == report.RuleNoAnswer && w.one != nil:
		message = quote(g).Text
	case quotes(g):
		message += "\n" + quote(g).Text
	}
	switch {
	case g.Rule == risk.Takeover:
		return message
	case one || g.Fields == 1:
		field := of.Field
		if g.Common != "" {
			field = ""
		}
		return strings.TrimRight(message+"\n"+strings.TrimSpace(field+"  "+valuesOf(of).String()), "\n ")
	}
	for i, f := range g.Rows {
		if i == shownRows && g.Fields > shownRows+1 {
			break
		}
		message += "\n" + model.Join(full(w.cells(f, g.Common == "")), "  ").String()
	}
	if g.Fields > shownRows+1 {
		message += fmt.Sprintf("\n… %d more", g.Fields-min(len(g.Rows), shownRows))
	}
	return message
}

// identifying is how much of an identity is the rule and the object.
const identifying = 6

// findingOn starts a finding on an object.
func findingOn(t report.Target, at report.Source, rule model.Rule, title, message string) model.Finding {
	return model.Finding{
		Rule: rule.ID, Level: rule.Level, Title: title + ": " + words.Object(t), Message: message, File: at.File,
		Line: at.Line, Object: page.Qualified(t), Name: t.Name,
		Identity: []string{rule.ID, t.APIVersion, t.Kind, t.Namespace, t.Name, t.Subresource, at.File, message},
	}
}

// writeFindings are those of a result.
func writeFindings(o page.Options, r report.Result) []model.Finding {
	if !o.Findings {
		return nil
	}
	var out []model.Finding
	if !o.Grouped {
		out = lineFindings(o, r)
	}
	return append(out, changeFindings(o, r)...)
}

// AnswerFindings say of the answer that a plan begins with why it conflicts, is rejected or not
// there, and what makes it doubtful: without them a system of CI would take a plan with
// nothing to resolve for a good one.
func AnswerFindings(o page.Options, r report.Result) []model.Finding {
	if r.Outcome == report.Conflicted && r.Conflicts == nil {
		r.Status = nil
	}
	return lineFindings(o, r)
}

// remark is a warning of the server, or what makes an answer doubtful, for systems of CI.
func remark(f report.Finding) model.Finding {
	rule, title, message := ruleWarning, "Warning of the API server", f.Message.String()
	if f.Rule == report.RuleCaveat {
		rule, title = ruleCaveat, "Caution"
	}
	if len(f.Fixes) == 0 {
		return findingOn(f.Target, f.Source, rule, title, message)
	}
	out := findingOn(f.Target, f.Source, rule, title, message+" "+f.Fixes[0].Does.String())
	out.Fix, out.Field = f.Fixes[0].Command.String(), strings.Join(f.Fields, ", ")
	return out
}

// changeFindings says in one sentence what an accepted write does.
func changeFindings(o page.Options, r report.Result) []model.Finding {
	switch {
	case r.Outcome != report.Created && r.Outcome != report.Configured:
		return nil
	case o.Grouped && whollyOf(r) == isDeleted:
		// The run says it of all of them.
		return nil
	}
	message := changeSentence(o, r)
	if message == "" {
		return nil
	}
	if only := entriesOnly(r); only != "" {
		message += ". " + only
	}
	for _, t := range r.Transfers {
		if t.Kind == report.Overridden && t.Cause == report.ByUpdate {
			message += fmt.Sprintf(". %s of %s is overwritten by an update", t.Field, t.Manager)
		}
	}
	return []model.Finding{findingOn(r.Target, r.Source, ruleChange, "Change", message)}
}

// changeSentence is what an accepted write does, without a period; empty where it changes nothing
// but labels that carry a version, which are none to look at.
func changeSentence(o page.Options, r report.Result) string {
	message := wouldBe(o) + OutcomeWord(r).Text
	switch {
	case r.Ran():
		return "would run as a hook: " + hookGist(r)
	case r.Operation == report.Delete && !r.Deleted:
		return wouldBe(o) + "marked for deletion"
	case r.Outcome != report.Configured || r.Deleted:
		return message
	}
	all := withoutNoise(r.Changes)
	if len(all) == 0 {
		return message
	}
	var names []string
	for _, c := range all {
		if !CarriesVersion(c) && !RewritesLastApplied(c) {
			names = append(names, c.Field)
		}
	}
	if names == nil {
		return ""
	}
	change := " would change, "
	if o.Sent {
		change = " changed, "
	}
	return message + ": " + words.Count(len(names), "field") + change + words.Some(names, shownFields, len(names))
}

// wouldBe begins what is said of an object: a write that was sent has happened.
func wouldBe(o page.Options) string {
	if o.Sent {
		return "was "
	}
	return "would be "
}

// shownFields is how many field paths a sentence names.
const shownFields = 3

// ruleChange is that of what an accepted write does.
var ruleChange = model.Rule{ID: "ssactl/change", Name: "Change", Level: model.Note,
	Short: "The write would create or change the object.",
	Help:  "The API server would accept the object. The diff is in the report."}

var (
	ruleWarning = page.RuleModels("", finding.Rules{finding.ServerWarning})[0]
	ruleCaveat  = page.RuleModels("", finding.Rules{finding.Caveat})[0]
)

// WriteRules are in the order of importance, behind inputs that cannot be read.
var WriteRules = append(page.RuleModels("", findings.Rules()), ruleChange)

// AnswerRules are those of answers, with those of what else there is to say.
func AnswerRules(of ...model.Rule) []model.Rule {
	return slices.Concat(
		page.RuleModels("", finding.Rules{finding.NoAnswer, finding.Refused}),
		of,
		page.RuleModels(
			"",
			finding.Rules{
				finding.Caveat, finding.ServerWarning, finding.InputNotice, finding.WrittenBetween, finding.RejectedBefore,
			},
		),
		[]model.Rule{ruleChange},
	)
}

// ConflictRule is that of conflicts, for systems of CI.
var ConflictRule = page.RuleModels("", finding.Rules{conflict.Rule})[0]
