package lint

import (
	"maps"
	"net/http"
	"slices"

	"github.com/ssactl/ssactl/internal/engine/causes"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var unknownField = finding.Rule{
	Name: "unknown-field", Severity: report.SeverityError,
	Title: "The kind has no such field.",
	Why:   "The API server rejects an apply with a field that its schema does not have. Client-side tools often drop such a field without a word, so that it may have been without effect for long.",
}

var wrongType = finding.Rule{
	Name: "wrong-type", Severity: report.SeverityError,
	Title: "A value is of another type than its field.",
	Why:   "The API server rejects the apply. YAML reads yes, 1.0 and 0123 as other types than text: quote what is text.",
	Fix:   "write a value of the type that is expected",
}

var writtenTwice = finding.Rule{
	Name: "written-twice", Severity: report.SeverityError,
	Title: "A key stands twice in one map.",
	Why:   "Only one of the values can be meant. The API server rejects the manifest, and tools that do not take the last.",
	Fix:   "keep one of the two",
}

var unknownKind = finding.Rule{
	Name: "unknown-kind", Severity: report.SeverityError,
	Title: "The API server does not serve the kind at this version.",
	Why:   "Every request for it is answered 404.",
}

var refusedManifest = finding.Rule{
	Name: "refused", Severity: report.SeverityError,
	Title: "The API server rejects the manifest.",
	Why:   "It answers an apply of the manifest, as a new object, with an error, and stores nothing.",
}

// findRefused reads why the server refuses the manifest, cause by cause.
func findRefused(s *subject) {
	r := s.Result
	if !r.Outcome.Refused() || r.Outcome == report.Failed || r.Status == nil {
		return
	}
	switch {
	case r.Code == http.StatusNotFound:
		fix := text.Text{}
		if s.ServedAs != "" {
			fix = s.serving()
		}
		s.fixing(
			unknownKind,
			nil,
			text.New("%v of %v is not served", text.Name(s.Target.Kind), text.Name(s.Target.APIVersion)),
			fix,
		)
		return
	case len(r.Causes) == 0 && (s.has(duplicateKeys) || s.has(missingKey)):
		return // which says why
	case len(r.Causes) == 0:
		who := text.New("the API server would answer %v", text.Number(r.Code))
		if r.Code == 0 {
			who = text.New("the client refuses it, and sends no request")
		}
		s.find(refusedManifest, nil, who.And(": ", text.New("%v", text.Said(text.FirstLine(r.Status.Message)))))
		return
	}
	for _, c := range r.Causes {
		reportCause(s, c)
	}
}

// serving is the fix by which a manifest is of a version that the server has.
func (s *subject) serving() text.Text {
	fix := text.New("write apiVersion: %v", text.Name(s.ServedAs))
	if s.Try == nil {
		return fix
	}
	edited := maps.Clone(s.Object)
	edited["apiVersion"] = s.ServedAs
	r := s.Try(edited)
	if !r.Outcome.Refused() {
		return fix
	}
	rejects := text.New("%v", text.Said(text.FirstLine(r.Answer().Message)))
	if len(r.Causes) > 0 && r.Causes[0].Field != "" {
		rejects = text.New("%v: %v", text.Path(r.Causes[0].Field), text.Said(r.Causes[0].Message))
	}
	return fix.And(", and change what that version rejects: ", rejects)
}

// reportCause is one thing that the server names.
func reportCause(s *subject, c report.Cause) {
	says, fields := text.New("%v", text.Said(c.Message)), []string{}
	if c.Field != "" {
		says, fields = text.New("%v: %v", text.Path(c.Field), text.Said(c.Message)), []string{c.Field}
	}
	switch causes.KindOf(c) {
	case causes.Unknown:
		says, fix := text.New("%v does not exist", text.Path(c.Field)), text.New("take the field out of the manifest")
		if meant := s.movable(c); len(meant) > 0 {
			nearest := text.Path(meant[0])
			says, fix = says.And("; ", text.New("%v does", nearest)), text.New("write %v, or %v", nearest, fix)
		}
		s.fixing(unknownField, c.Source, says, fix, fields...)
	case causes.Mistyped:
		s.find(wrongType, c.Source, says, fields...)
	case causes.TwiceWritten:
		s.find(writtenTwice, c.Source, says, fields...)
	case causes.Repeated:
		if !s.has(duplicateKeys) {
			s.fixing(duplicateKeys, c.Source, says, text.New("keep one of the items"), fields...)
		}
	case causes.Keyless:
		if !s.has(missingKey) {
			s.fixing(missingKey, c.Source, says, text.New("write all keys of the item"), fields...)
		}
	default:
		if !s.lacking["."+c.Field] {
			s.find(refusedManifest, c.Source, says, fields...)
		}
	}
}

func (s *subject) has(rule finding.Rule) bool {
	return slices.ContainsFunc(s.out, func(f report.Finding) bool { return f.Rule == rule.Name })
}
