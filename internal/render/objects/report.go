package objects

import (
	"io"

	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
)

// NewReport writes the whole report as one JSON document, what counts and
// groups its results behind them. Its lists are present also where they are
// empty.
func NewReport(w io.Writer, o Options) stream.Stream {
	return &reportStream{Sink: stream.Sink{W: w}, document: o.Document}
}

type reportStream struct {
	stream.Sink
	n        int
	document func(report.Result) report.Result
}

const reportIndent = "  "

// Begin implements Stream.
func (s *reportStream) Begin(start stream.Start) error {
	server, err := JSONAt(start.Server, reportIndent, reportIndent)
	if err != nil {
		return err
	}
	if len(start.Snapshots) > 0 {
		snapshots, err := JSONAt(start.Snapshots, reportIndent, reportIndent)
		if err != nil {
			return err
		}
		server += ",\n" + reportIndent + `"snapshots": ` + snapshots
	}
	return s.Write("{\n" +
		reportIndent + `"apiVersion": "` + report.APIVersion + "\",\n" +
		reportIndent + `"kind": "` + report.Kind + "\",\n" +
		reportIndent + `"server": ` + server + ",\n" +
		reportIndent + `"results": [`)
}

// Part implements Stream.
func (s *reportStream) Part(r report.Result) (stream.Part, error) {
	if s.document != nil {
		r = s.document(r)
	}
	text, err := JSONAt(withLists(r), reportIndent+reportIndent, reportIndent)
	return reportIndent + reportIndent + text, err
}

// Add implements Stream.
func (s *reportStream) Add(part stream.Part) error {
	before := ",\n"
	if s.n == 0 {
		before = "\n"
	}
	s.n++
	return s.Write(before + part.(string))
}

// End implements Stream.
func (s *reportStream) End(e stream.Ending) error {
	end := "]"
	if s.n > 0 {
		end = "\n" + reportIndent + "]"
	}
	r := e.Report
	for _, part := range []struct {
		key   string
		value any
		told  bool
	}{
		{"summary", r.Summary, true},
		{"overview", r.Overview, r.Overview != nil},
		{"problems", r.Problems, len(r.Problems) > 0},
		{"unmatched", r.Unmatched, len(r.Unmatched) > 0},
		{"failOn", r.FailOn, r.FailOn != nil},
		{"interrupted", r.Interrupted, r.Interrupted != nil},
	} {
		if !part.told {
			continue
		}
		text, err := JSONAt(part.value, reportIndent, reportIndent)
		if err != nil {
			return err
		}
		end += ",\n" + reportIndent + `"` + part.key + `": ` + text
	}
	return s.Write(end + "\n}\n")
}

func withLists(r report.Result) report.Result {
	r.Warnings, r.Conflicts, r.Changes = report.List(r.Warnings), report.List(r.Conflicts), report.List(r.Changes)
	r.Ownership, r.Transfers = report.List(r.Ownership), report.List(r.Transfers)
	return r
}
