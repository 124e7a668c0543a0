package answers

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// remark is one thing that a reviewer should see at its line: what the
// annotations of GitHub and the results of SARIF are views of. Its texts are
// as they come, for the format to escape.
type remark struct {
	rule    model.Rule
	source  report.Source
	target  report.Target
	title   string
	message string
	// field is the field path that it is about, and manager who else is
	// concerned; empty where it is about the object.
	field, manager string
	// fix is the command that fixes it best.
	fix string
	// fails: it makes the run fail.
	fails bool
}

// model is the finding as systems of CI get it.
func (f remark) model() model.Finding {
	t := f.target
	identity := []string{f.rule.ID, t.APIVersion, t.Kind, t.Namespace, t.Name, t.Subresource, f.field, f.manager}
	switch {
	case f.field == "":
		identity = append(identity, f.source.File, f.message)
	case f.rule.ID == ruleInvalid.ID:
		// Of labels, say, all that is wrong is reported under one field.
		identity = append(identity, f.message)
	}
	return model.Finding{
		Rule: f.rule.ID, Level: f.rule.Level, Title: f.title, Message: f.message, Fix: f.fix, File: f.source.File, Line: f.source.Line,
		Object: page.Qualified(t), Name: t.Name, Field: f.field, Identity: identity, Fails: f.fails, Enforced: f.fails,
	}
}

// writeFindings are those of a result.
func writeFindings(o page.Options, r report.Result) []model.Finding {
	if !o.Findings {
		return nil
	}
	var out []model.Finding
	found := append(remarkFindings(r), changeFindings(r)...)
	if !o.Grouped {
		found = slices.Concat(refusalFindings(o, r), riskFindings(o, r), noticeFindings(r), found)
	}
	for _, f := range found {
		out = append(out, f.model())
	}
	return out
}

// AnswerFindings say of the answer that a plan begins with, where it is no conflict,
// that it is rejected or not there, and what makes it doubtful: without them a system
// of CI would take a plan with nothing to resolve for a good one.
func AnswerFindings(o page.Options, r report.Result) []model.Finding {
	found := slices.Concat(riskFindings(o, r), remarkFindings(r), noticeFindings(r))
	switch r.Outcome {
	case report.Failed:
		found = append(found, about(r, RuleNoAnswer, "No answer", r.Error))
	case report.Invalid:
		found = append(found, invalidFindings(r)...)
	}
	var out []model.Finding
	for _, f := range found {
		out = append(out, f.model())
	}
	return out
}

// about starts a finding on an object.
func about(r report.Result, rule model.Rule, title, message string) remark {
	return remark{rule: rule, source: r.Source, target: r.Target, title: title + ": " + words.Object(r.Target), message: message}
}

func refusalFindings(o page.Options, r report.Result) []remark {
	switch r.Outcome {
	case report.Failed:
		return []remark{about(r, RuleNoAnswer, "No answer", r.Error)}
	case report.Invalid:
		return invalidFindings(r)
	case report.Conflicted:
		return conflictFindings(o, r)
	}
	return nil
}

// invalidFindings are the faults, each at its line, or at the object's where it
// has none; where none has one, the server's message tells all of them, but for
// denials of policies.
func invalidFindings(r report.Result) []remark {
	answer := answerOf(r)
	if slices.ContainsFunc(r.Causes, func(c report.Cause) bool {
		return c.Source != nil || c.Field == "" && r.Status != nil && !strings.Contains(r.Status.Message, c.Message)
	}) {
		var out []remark
		for _, c := range r.Causes {
			out = append(out, faultFinding(r, answer, c))
		}
		return out
	}
	if r.Status != nil && r.Status.Message != "" {
		answer += ": " + r.Status.Message
	}
	if unserved(r) {
		answer = strings.Join(r.Notices, "; ") + ". The API server would answer " + answer
	}
	return []remark{about(r, ruleInvalid, "Refused", answer)}
}

// unserved reports whether the notices say why the API server has no such resource:
// they come before its bare 404.
func unserved(r report.Result) bool {
	return r.Outcome == report.Invalid && r.Code == http.StatusNotFound && len(r.Notices) > 0
}

func faultFinding(r report.Result, answer string, c report.Cause) remark {
	if c.Field != "" {
		answer += ": " + c.Field
	}
	f := about(r, ruleInvalid, "Refused", answer+": "+words.Fault(shortMessage(c.Message), c))
	if c.Field != "" {
		f.field = "." + strings.TrimPrefix(c.Field, ".")
	}
	if c.Source != nil {
		f.source = *c.Source
	}
	return f
}

func conflictFindings(o page.Options, r report.Result) []remark {
	var out []remark
	for _, c := range contestedOf(r) {
		for _, w := range c.owners {
			f := about(r, ConflictRule, "Conflict", fmt.Sprintf("%s is owned by %s: live %s, applied %s. %s", c.Field, words.Writer(w.Writer),
				valueOrNone(c.Live, c.LiveMissing), valueOrNone(c.Applied, c.AppliedMissing), recommendation(c.Advice).String()))
			f.field, f.manager = c.Field, w.Manager
			f.fix = strings.Join(adviceCommands(o, r, c.Advice, c.Field), "\n")
			if c.Source != nil {
				f.source = *c.Source
			}
			out = append(out, f)
		}
	}
	if out == nil && r.Status != nil {
		out = append(out, about(r, ConflictRule, "Conflict", r.Status.Message))
	}
	return out
}

func valueOrNone(v any, missing bool) string {
	if missing {
		return "(not set)"
	}
	return glyph.Cut(words.Scalar(v), quotedValue)
}

func remarkFindings(r report.Result) []remark {
	var out []remark
	for _, w := range r.Warnings {
		out = append(out, about(r, ruleWarning, "Warning of the API server", w))
	}
	for _, c := range page.Cautions(r.Confidence, r.Target) {
		f := about(r, ruleCaveat, "Caution", c.Message)
		if c.Cure != "" {
			f.message += " " + c.Cure
		}
		f.fix = c.Command
		f.field = c.Field
		out = append(out, f)
	}
	return out
}

// noticeFindings are what is odd about the input.
func noticeFindings(r report.Result) []remark {
	var out []remark
	for _, n := range r.Notices {
		if !unserved(r) {
			out = append(out, about(r, ruleInput, "Notice", n))
		}
	}
	return out
}

// riskFindings are the risks, each with the values of its field and what to do.
func riskFindings(o page.Options, r report.Result) []remark {
	var out []remark
	for _, k := range r.Risks {
		f := about(r, model.Rule{ID: ruleID(k.Rule), Level: page.Severities[k.Severity].Level}, k.Rule, riskMessage(r, k))
		f.field, f.manager, f.fails = k.Field, k.Manager, o.Fails(k)
		f.fix = strings.Join(riskCommands(o, r, k), "\n")
		if k.Source != nil {
			f.source = *k.Source
		}
		out = append(out, f)
	}
	return out
}

// riskMessage is a risk in a sentence, with the values of its field.
func riskMessage(r report.Result, k report.Risk) string {
	if k.Field == "" {
		return k.Message.String()
	}
	field := k.Field
	for _, c := range r.Changes {
		if c.Field == k.Field {
			field += " " + becomes(c).String()
		}
	}
	return field + ": " + k.Message.String()
}

// changeFindings says in one sentence what an accepted write does.
func changeFindings(r report.Result) []remark {
	if r.Outcome != report.Created && r.Outcome != report.Configured {
		return nil
	}
	message := "would be " + outcomeWord(r).Text
	if shown := withoutNoise(r.Changes); len(shown) > 0 && r.Outcome == report.Configured && !r.Deleted {
		message += ": " + words.Count(len(shown), "field") + " would change, " + firstFields(shown)
	}
	if only := entriesOnly(r); only != "" {
		message += ". " + only
	}
	for _, t := range r.Transfers {
		if t.Kind == report.Overridden && t.Cause == report.ByUpdate {
			message += fmt.Sprintf(". %s of %s is overwritten by an update", t.Field, t.Manager)
		}
	}
	return []remark{about(r, ruleChange, "Change", message)}
}

// shownFields is how many field paths a sentence names.
const shownFields = 3

func firstFields(changes []report.Change) string {
	var names []string
	for _, c := range changes {
		names = append(names, c.Field)
	}
	return words.Some(names, shownFields, len(names))
}
