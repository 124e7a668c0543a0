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
	NoAnswer = Rule{Name: "no-answer", Severity: report.SeverityError,
		Title: "No answer could be given for an object.",
		Why: "What the API server would do with the object cannot be simulated: its definition is missing, a webhook " +
			"would be needed, or two manifests have the same name."}
	Refused = Rule{Name: "refused", Severity: report.SeverityError,
		Title: "The API server would refuse the object.",
		Why:   "It answers the request with an error, and changes nothing."}
	Caveat = Rule{Name: "caveat", Severity: report.SeverityWarning,
		Title: "The answer may not be the cluster's.",
		Why: "What was given of the cluster may be incomplete, or something else than what is meant: all the rest may be " +
			"about another state."}
	ServerWarning = Rule{Name: "server-warning", Severity: report.SeverityWarning,
		Title: "The API server would answer with a warning.",
		Why: "It accepts the object, and sends a Warning header: of a deprecated version, or of an unknown or a " +
			"duplicate field."}
	InputNotice = Rule{Name: "input-notice", Severity: report.SeverityNote,
		Title: "Something is odd about the input.",
		Why:   "The live object, or the manifest, is not what a server writes, and the answer goes by what it is."}
)

// OfAnswer are what the answer to a write says itself: that there is none, why it is
// refused, the warnings of the server, and what is odd about the input.
func OfAnswer(r report.Result) []report.Finding {
	var out []report.Finding
	switch {
	case r.Outcome == report.Failed:
		out = append(out, NoAnswer.On(r.Target, r.Source, text.New("%v", text.Said(r.Error))))
	case r.Outcome == report.Invalid, r.Outcome == report.Conflicted && len(r.Conflicts) == 0:
		out = refusals(r)
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
		f := Refused.On(r.Target, r.Source, refusal(r, said(r)))
		if len(r.Causes) == 1 {
			f.Field = r.Causes[0].Field
			f.Fixes = append(f.Fixes, cures(r.Causes[0])...)
		}
		return []report.Finding{f}
	}
	var out []report.Finding
	for _, c := range r.Causes {
		at := r.Source
		if c.Source != nil {
			at = *c.Source
		}
		f := Refused.On(r.Target, at, refusal(r, c.Message), cures(c)...)
		f.Field = c.Field
		out = append(out, f)
	}
	return out
}

func cures(c report.Cause) []report.Fix {
	if cure := c.Cure(); cure != "" {
		return []report.Fix{{Does: text.New("%v", text.Said(cure))}}
	}
	return nil
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

func refusal(r report.Result, message string) text.Text {
	if r.Code == 0 && r.Status != nil {
		return text.New("refused by the client, which sends no request: %v", text.Said(message))
	}
	answer := fmt.Sprint(r.Code)
	if r.Status != nil {
		answer = strings.TrimSpace(answer + " " + r.Status.Reason)
	}
	return text.New("rejected by the API server (%v): %v", text.Name(answer), text.Said(message))
}
