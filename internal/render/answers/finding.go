package answers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// annotated is how many findings of a run stand at each of their lines; of more, a cause
// that is no error stands at its first line only.
const annotated = 10

// findings are the causes for systems of CI that show few, the worst first, and then what
// makes the answers doubtful and the warnings of the server, each once.
func (w *Run) findings() []model.Finding {
	rows := 0
	for _, c := range w.Causes.Sorted() {
		rows += c.fields
	}
	var out []model.Finding
	for _, c := range w.Causes.list {
		list := c.rows
		error := c.severity == report.SeverityError && c.Rule != unanswered
		if rows > annotated && !error || c.Rule == risk.Takeover || c.Rule == unanswered {
			list = list[:1]
		}
		at := map[report.Source]bool{}
		for _, row := range list {
			if error && row.source != nil && row.source.Line > 0 {
				if at[*row.source] {
					continue
				}
				at[*row.source] = true
			}
			out = append(out, inRun{c, w}.finding(row, len(list) > 1))
		}
	}
	if deleted := &w.changes.deleted; deleted.n > 0 {
		out = append(out, findingOn(deleted.first[0], report.Source{}, ruleChange, "Deleted", "would be deleted: "+deleted.all(w)))
	}
	for _, one := range w.cautions.list {
		out = append(out, cautionFinding(one.first, one.source, one.caution(w.objects)))
	}
	for _, one := range w.warnings.list {
		says := one.text
		if one.n > 1 {
			says += fmt.Sprintf(" (%d objects)", one.n)
		}
		out = append(out, warningFinding(one.first, one.source, says))
	}
	return out
}

// lineFindings are what there is to look at in a result, each at its line; a takeover once.
func lineFindings(o page.Options, r report.Result) []model.Finding {
	w, facts := alone(o, r), FactsOf(r)
	w.Add(facts)
	var out []model.Finding
	for _, h := range facts.Hits {
		if h.Rule != risk.Takeover && !ofVersion(o, r, h) {
			var k causes
			k.add(1, h)
			out = append(out, inRun{k.list[0], w}.finding(h.causeRow, true))
		}
	}
	for _, c := range w.Causes.list {
		if c.Rule == risk.Takeover {
			out = append(out, inRun{c, w}.finding(c.rows[0], false))
		}
	}
	return out
}

// ofVersion reports whether a hit is about a label that carries a version, and asks for
// nothing: systems of CI show it as an alert.
func ofVersion(o page.Options, r report.Result, h hit) bool {
	if h.severity == report.SeverityError || o.Fails(report.Finding{Rule: h.Rule, Severity: h.severity}) {
		return false
	}
	return slices.ContainsFunc(r.Changes, func(c report.Change) bool {
		return c.Field == h.Field && (CarriesVersion(c) || RewritesLastApplied(c))
	})
}

// finding is a cause at a line: of one row, or with the first of all its rows.
func (c inRun) finding(row causeRow, one bool) model.Finding {
	message := c.says().String()
	switch {
	case c.Rule == unanswered && c.w.one != nil:
		message = c.quote().Text
	case c.Rule == rejected || c.Rule == unanswered:
		message += "\n" + c.quote().Text
	}
	switch {
	case c.Rule == risk.Takeover:
	case one || c.fields == 1:
		field := row.Field
		if c.common != "" {
			field = ""
		}
		message = strings.TrimRight(message+"\n"+strings.TrimSpace(field+"  "+row.values.String()), "\n ")
	default:
		for i, r := range c.rows {
			if i == shownRows && c.fields > shownRows+1 {
				break
			}
			message += "\n" + model.Join(full(c.w.cells(r, c.common == "")), "  ").String()
		}
		if c.fields > shownRows+1 {
			message += fmt.Sprintf("\n… %d more", c.fields-min(len(c.rows), shownRows))
		}
	}
	fix, lines := c.fix()
	if len(fix) > 0 && c.Rule != risk.Takeover && !strings.HasPrefix(fix.String(), "To ") {
		message += "\n" + fix.String()
	}
	at := report.Source{}
	if row.source != nil {
		at = *row.source
	}
	f := findingOn(row.target, at, model.Rule{ID: "ssactl/" + c.Rule, Level: page.Severities[c.severity].Level}, c.Rule, message)
	f.Fix = strings.Join(lines, "\n")
	if row.Field != "" {
		f.Field = "." + strings.TrimPrefix(row.Field, ".")
	}
	f.Fails = c.w.o.Fails(report.Finding{Rule: c.Rule, Severity: c.severity})
	f.Enforced = f.Fails
	if row.Field != "" && c.Rule != rejected {
		f.Identity = slices.Concat(f.Identity[:identifying], []string{row.Field, row.from})
	}
	return f
}

// identifying is how much of an identity is the rule and the object.
const identifying = 6

// findingOn starts a finding on an object.
func findingOn(t report.Target, at report.Source, rule model.Rule, title, message string) model.Finding {
	return model.Finding{
		Rule: rule.ID, Level: rule.Level, Title: title + ": " + words.Object(t), Message: message, File: at.File, Line: at.Line,
		Object: page.Qualified(t), Name: t.Name,
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
		out = append(lineFindings(o, r), remarkFindings(r)...)
	}
	return append(out, changeFindings(r)...)
}

// AnswerFindings say of the answer that a plan begins with why it conflicts, is rejected or not
// there, and what makes it doubtful: without them a system of CI would take a plan with
// nothing to resolve for a good one.
func AnswerFindings(o page.Options, r report.Result) []model.Finding {
	if r.Outcome == report.Conflicted && r.Conflicts == nil {
		r.Status = nil
	}
	return append(lineFindings(o, r), remarkFindings(r)...)
}

// remarkFindings are the warnings of the server, and what makes the answer doubtful.
func remarkFindings(r report.Result) []model.Finding {
	var out []model.Finding
	for _, w := range r.Warnings {
		out = append(out, warningFinding(r.Target, r.Source, w))
	}
	for _, c := range page.Cautions(r.Confidence, r.Target) {
		out = append(out, cautionFinding(r.Target, r.Source, c))
	}
	return out
}

func warningFinding(t report.Target, at report.Source, says string) model.Finding {
	return findingOn(t, at, ruleWarning, "Warning of the API server", says)
}

func cautionFinding(t report.Target, at report.Source, c page.Caution) model.Finding {
	f := findingOn(t, at, ruleCaveat, "Caution", strings.TrimSpace(c.Message+" "+c.Cure))
	f.Fix, f.Field = c.Command, c.Field
	return f
}

// changeFindings says in one sentence what an accepted write does.
func changeFindings(r report.Result) []model.Finding {
	if r.Outcome != report.Created && r.Outcome != report.Configured {
		return nil
	}
	message := "would be " + outcomeWord(r).Text
	if r.Ran() {
		message = "would run as a hook: " + hookGist(r)
	} else if r.Operation == report.Delete && !r.Deleted {
		message = "would be marked for deletion"
	} else if all := withoutNoise(r.Changes); len(all) > 0 && r.Outcome == report.Configured && !r.Deleted {
		shown := slices.DeleteFunc(slices.Clone(all), func(c report.Change) bool { return CarriesVersion(c) || RewritesLastApplied(c) })
		if len(shown) == 0 {
			// A version in a label is none to look at.
			return nil
		}
		var names []string
		for _, c := range shown {
			names = append(names, c.Field)
		}
		message += ": " + words.Count(len(shown), "field") + " would change, " + words.Some(names, shownFields, len(names))
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

// shownFields is how many field paths a sentence names.
const shownFields = 3

var (
	// RuleNoAnswer is that of objects without an answer.
	RuleNoAnswer = model.Rule{ID: "ssactl/no-answer", Name: "NoAnswer", Level: model.Error,
		Short: "No answer could be given for an object.",
		Help: "The simulation cannot say what the API server would do with this object: its definition is missing, " +
			"a webhook would be needed, or two manifests have the same name. The message says which. " +
			"Custom resources need their CustomResourceDefinition, given with --crds."}
	ruleInvalid = model.Rule{ID: "ssactl/refused", Name: "Refused", Level: model.Error,
		Short: "The API server would refuse the object.",
		Help: "The API server would answer this request with an error, word for word as shown, and change nothing. " +
			"Correct the manifest; the message names the fields."}
	ruleWarning = model.Rule{ID: "ssactl/server-warning", Name: "ServerWarning", Level: model.Warning,
		Short: "The API server would answer with a warning.",
		Help:  "The API server accepts the object, and sends a Warning header: a deprecated version, an unknown or a duplicate field."}
	ruleCaveat = model.Rule{ID: "ssactl/caveat", Name: "Caveat", Level: model.Warning,
		Short: "The answer may not be the cluster's.",
		Help: "What was given of the cluster may be incomplete, or something else than what is meant: a definition that is missing, " +
			"a live object without managed fields, a name that no live object has. The message says what to give."}
	ruleInput = model.Rule{ID: "ssactl/input-notice", Name: "InputNotice", Level: model.Note,
		Short: "Something is odd about the input.",
		Help:  "An entry of the live object's managed fields cannot be read, for one, or is at a version that is not served."}
	ruleChange = model.Rule{ID: "ssactl/change", Name: "Change", Level: model.Note,
		Short: "The write would create or change the object.",
		Help:  "The API server would accept the object. The diff is in the report."}
)

// WriteRules are in the order of importance, behind inputs that cannot be read.
var WriteRules = AnswerRules(append([]model.Rule{ConflictRule}, page.RuleModels("", risk.Rules())...)...)

// AnswerRules are those of answers, with those of what else there is to say.
func AnswerRules(of ...model.Rule) []model.Rule {
	return slices.Concat([]model.Rule{RuleNoAnswer, ruleInvalid}, of, []model.Rule{ruleCaveat, ruleWarning, ruleInput, ruleChange})
}

// ConflictRule is that of conflicts, for systems of CI.
var ConflictRule = model.Rule{
	ID: "ssactl/conflict", Name: "Conflict", Level: model.Error,
	Short: "Another field manager owns the field with another value.",
	Help: "Server-Side Apply refuses to change a field that another field manager owns with another value. The options to resolve it: " +
		"stop managing the field (remove it from the manifest); use the live value, and share ownership; " +
		"or force, and take ownership. The message says which is recommended.",
}
