package render

import (
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/render/ci"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// ciStream shows simulated writes in a format of the model that takes findings
// and subjects only.
type ciStream struct {
	documents
	section func(report.Result) model.Section
}

func newGitHub(w io.Writer, _ Options) Stream { return ciStream{ci.NewGitHub(w), findingsSection} }

func newSARIF(w io.Writer, _ Options) Stream { return ciStream{ci.NewSARIF(w), findingsSection} }

func newJUnit(w io.Writer, o Options) Stream {
	return ciStream{ci.NewJUnit(w), func(r report.Result) model.Section { return subjectSection(r, o) }}
}

// Begin implements Stream.
func (s ciStream) Begin(start Start) error {
	head := model.Head{Title: "Server-Side Apply", Server: start.Server.Version, Total: start.Total, Rules: rules}
	for _, p := range start.Problems {
		head.Problems = append(head.Problems, model.Problem{File: p.Source.File, Line: p.Source.Line, Message: p.Message})
	}
	return s.documents.Begin(head)
}

// Part implements Stream.
func (s ciStream) Part(r report.Result) (Part, error) { return s.documents.Part(s.section(r)) }

// Add implements Stream.
func (s ciStream) Add(p Part) error { return s.documents.Add(p) }

// End implements Stream.
func (s ciStream) End(e Ending) error {
	var tail model.Tail
	if i := e.Report.Interrupted; i != nil {
		tail.Interrupted = words.Interrupted(*i)
	}
	return s.documents.End(tail)
}

func findingsSection(r report.Result) model.Section { return model.Section{Findings: findingsOf(r)} }

// subjectSection is a result as a report of tests knows it.
func subjectSection(r report.Result, o Options) model.Section {
	p := newPrinter(Options{Now: o.Now, LiveFile: o.LiveFile})
	namespace := r.Target.Namespace
	if namespace == "" {
		namespace = "cluster"
	}
	s := &model.Subject{
		Name: objectName(r.Target) + where(r.Target), Class: namespace + "." + r.Target.Kind,
		File: r.Source.File, Line: r.Source.Line, State: model.Refused, Reason: string(r.Outcome),
		Gist: strings.TrimPrefix(p.verdict(r), objectName(r.Target)+" "),
	}
	p.caveats(r, "")
	switch {
	case r.Outcome == report.Failed:
		s.State = model.Failed
		p.line(visibleLines(r.Error))
	case r.Outcome.Refused():
		p.detail(r, true)
		p.confidence(r)
	default:
		s.State = model.Accepted
		p.line(p.verdict(r))
		p.warnings(r.Warnings, r.Notices)
		p.changeLines(r.Changes)
		p.confidence(r)
	}
	return model.Section{Subject: s, Blocks: []model.Block{model.Quote{Text: p.out.String()}}}
}
