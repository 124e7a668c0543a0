package finding

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// The rules of what is said of a write next to conflicts and risks.
var (
	NoAnswer = Rule{Name: report.RuleNoAnswer, By: report.BySaying, Severity: report.SeverityError,
		Title: "No answer could be given for an object.",
		Why: "What the API server would do with the object cannot be simulated: its definition is missing, a webhook " +
			"would be needed, or two manifests have the same name. Custom resources need their CustomResourceDefinition, " +
			"given with --crds."}
	Refused = Rule{Name: report.RuleRefused, By: report.BySaying, Severity: report.SeverityError,
		Title: "The API server would refuse the object.",
		Why:   "It answers the request with an error, and changes nothing."}
	Caveat = Rule{Name: report.RuleCaveat, By: report.BySaying, Severity: report.SeverityWarning,
		Title: "The answer may not be the cluster's.",
		Why: "What was given of the cluster may be incomplete, or something else than what is meant: a definition that is " +
			"missing, a live object without managed fields, a name that no live object has."}
	ServerWarning = Rule{Name: report.RuleServerWarning, By: report.BySaying, Severity: report.SeverityWarning,
		Title: "The API server would answer with a warning.",
		Why: "It accepts the object, and sends a Warning header: of a deprecated version, or of an unknown or a " +
			"duplicate field."}
	InputNotice = Rule{Name: report.RuleInputNotice, By: report.BySaying, Severity: report.SeverityNote,
		Title: "Something is odd about the input.",
		Why:   "An entry of the live object's managed fields cannot be read, for one, or is at a version that is not served."}
)

// The rules of what happened between the requests of a program.
var (
	WrittenBetween = Rule{Name: report.RuleWrittenBetween, By: report.BySaying, Severity: report.SeverityNote,
		Title: "Another writer changed the object between two requests.",
		Why: "What the later request met is not what the earlier one had left: a controller or another client writes to " +
			"the object too."}
	RejectedBefore = Rule{Name: report.RuleRejectedBefore, By: report.BySaying, Severity: report.SeverityNote,
		Title: "A request was rejected, and the program sent another one.",
		Why:   "What is reported of the object is what the last request came to, not the one that was rejected."}
)

// OfAnswer are what the answer to a write says itself: that there is none, why it is
// refused, where nothing of the live object is known to be the reason, the warnings of the
// server, and what is odd about the input.
func OfAnswer(r report.Result) []report.Finding {
	var out []report.Finding
	switch {
	case r.Outcome == report.Failed:
		f := NoAnswer.On(r.Target, r.Source, text.New("%v", text.Said(r.Error)))
		f.Lead, f.Quote = text.New("no answer"), r.Error
		out = append(out, f)
	case r.Outcome == report.Invalid, r.Outcome == report.Conflicted && len(r.Conflicts) == 0 && r.Status != nil:
		if len(r.Refusals) == 0 {
			out = refusals(r)
		}
	}
	for _, w := range r.Warnings {
		out = append(out, ServerWarning.On(r.Target, r.Source, text.New("%v", text.Said(w))))
	}
	for _, n := range r.Notices {
		if !explains404(r) {
			out = append(out, InputNotice.On(r.Target, r.Source, text.New("%v", text.Said(n))))
		}
	}
	return out
}

// explains404 reports whether the notices say why the API server has no such resource.
func explains404(r report.Result) bool {
	return r.Outcome == report.Invalid && r.Code == http.StatusNotFound && len(r.Notices) > 0
}

// refusals are what the API server has against a write: a finding for each cause.
func refusals(r report.Result) []report.Finding {
	if len(r.Causes) == 0 || len(r.Causes) == 1 && r.Causes[0].Source == nil {
		return []report.Finding{Refusing(r, said(r))}
	}
	var out []report.Finding
	for _, c := range r.Causes {
		f := Refusing(r, faultOf(c))
		if c.Source != nil {
			f.Source = *c.Source
		}
		f.Field = c.Field
		out = append(out, f)
	}
	return out
}

// Refusing is the finding that the API server, or the client, refuses a write in its words.
func Refusing(r report.Result, words string) report.Finding {
	lead := text.New("refused by the client, which sends no request")
	if r.Client.Sends() {
		lead = text.New("refused by the client, after other requests for the object")
	}
	if r.Code != 0 || r.Status == nil {
		answer := fmt.Sprint(r.Code)
		if r.Status != nil {
			answer = strings.TrimSpace(answer + " " + r.Status.Reason)
		}
		if lead = text.New("rejected by the API server (%v)", text.Name(answer)); len(r.Conflicts) > 0 {
			lead = text.New("rejected by the API server with force too (%v)", text.Name(answer))
		}
	}
	f := Refused.On(r.Target, r.Source, lead.And(": ", text.New("%v", text.Said(words))))
	f.Lead, f.Quote = lead, words
	return f
}

// faultOf is what is wrong, and what may be meant. Lines behind the first, as of a
// difference, are left to the API server's sentence.
func faultOf(c report.Cause) string {
	return c.With(text.FirstLine(c.Message))
}

// said is the server's message, behind the notices that explain it.
func said(r report.Result) string {
	var parts []string
	if explains404(r) {
		parts = append(parts, r.Notices...)
	}
	if r.Status != nil {
		parts = append(parts, strings.TrimRight(r.Status.Message, "\n"))
	}
	return strings.Join(parts, "\n")
}
