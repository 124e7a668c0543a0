package cli

import (
	"errors"
	"fmt"

	"github.com/ssactl/ssactl/internal/engine/ignore"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
)

// display shows the answers of a run while it goes on: in each format that is
// asked for, filtered, and with the values of Secrets masked unless they are
// asked for.
type display struct {
	sheets []*shown
	// commentary is what standard error tells beside the outputs; nil for
	// nothing.
	commentary stream.Stream
	options    render.Options
	filter     ignore.Filter
	// missed are the typed --ignore-field that no object had so far.
	missed  []string
	secrets *redact.Masker
	// masks are those in the objects that are printed; nil where none are.
	masks map[string]bool
	// notice tells remarks on standard error.
	notice func(texts []string)
	tally  report.Tally
	// risks are those that are not to be, and how many there were.
	risks report.FailOn
	// seen, when not nil, is given each result as it is shown. It may be called
	// for several at once.
	seen func(report.Result) error
}

// shown is an output that shows results while they come.
type shown struct {
	*sheet
	stream stream.Stream
	// lacks is what an output that is whole otherwise cannot give.
	lacks error
}

// answer is what one pair came to, and what each output shows of it.
type answer struct {
	given, shown report.Result
	parts        *parts // nil where masking comes first
}

// parts are those of the outputs, in their order, then that of the commentary.
type parts struct {
	outputs    []stream.Part
	errs       []error
	commentary stream.Part
	seen       error
}

// newDisplay opens the outputs. The caller has to close it.
func (a *app) newDisplay(f *outputFlags, options render.Options) *display {
	d := &display{filter: f.filter, options: options, secrets: a.secrets, notice: a.notice, risks: f.risks}
	if f.asks(objectFormats...) {
		d.masks = map[string]bool{}
	}
	if !a.configured["ignore-field"] {
		d.missed = f.ignoreFields
	}
	for _, o := range a.withStepSummary(f.outputs) {
		s := a.sheet(o, options)
		d.sheets = append(d.sheets, &shown{sheet: s, stream: o.format.New(s.text, s.options)})
	}
	if !tellsRefusals(f.outputs) {
		// The answer on standard output is objects; why some are missing is
		// commentary.
		d.commentary = render.Refusals(a.commentary(options), options)
	}
	return d
}

// begin starts all outputs.
func (d *display) begin(start stream.Start) error {
	start.FailOn = d.risks
	start.Problems = redact.Document(d.secrets, start.Problems)
	for _, s := range d.sheets {
		s.do(func() error { return s.stream.Begin(start) })
	}
	if d.commentary != nil {
		_ = d.commentary.Begin(start)
	}
	return d.failure()
}

// answer prepares what is shown of a result. Several may be prepared at once.
func (d *display) answer(given report.Result) answer {
	a := answer{given: given, shown: d.filter.Result(given)}
	if !d.secrets.Concerns(&a.shown) {
		a.parts = d.parts(a.shown)
	}
	return a
}

func (d *display) parts(r report.Result) *parts {
	p := &parts{outputs: make([]stream.Part, len(d.sheets)), errs: make([]error, len(d.sheets))}
	for i, s := range d.sheets {
		p.outputs[i], p.errs[i] = s.stream.Part(r)
	}
	if d.commentary != nil {
		p.commentary, _ = d.commentary.Part(r)
	}
	if d.seen != nil {
		p.seen = d.seen(r)
	}
	return p
}

// show shows the next answer. Masks are numbered in the order of the answers.
// It fails where no output is left to write to.
func (d *display) show(a answer) error {
	if a.parts == nil {
		a.shown = redact.Document(d.secrets, a.shown)
		if d.masks != nil {
			redact.Masks(d.masks, a.shown.Object)
		}
		a.parts = d.parts(a.shown)
	}
	if a.parts.seen != nil {
		return a.parts.seen
	}
	d.tally.Add(a.shown)
	d.missed = d.filter.Missed(d.missed, a.given)
	for _, r := range a.given.Risks {
		d.risks.Count(r.Rule, r.Severity)
	}
	for i, s := range d.sheets {
		s.render(func() error { return a.parts.errs[i] })
		s.do(func() error { return s.stream.Add(a.parts.outputs[i]) })
	}
	if d.commentary != nil {
		_ = d.commentary.Add(a.parts.commentary)
	}
	return d.failure()
}

// end ends all outputs, and puts those files in place that are complete.
func (d *display) end(doc report.Report) error {
	doc.Summary = d.summary(doc)
	overview := d.tally.Overview()
	doc.Overview = &overview
	if d.risks.Met() {
		doc.FailOn = &d.risks
	}
	doc = redact.Document(d.secrets, doc)
	ending := stream.Ending{Report: doc}
	for _, s := range d.sheets {
		s.do(func() error { return s.end(ending) })
		s.finish()
		if s.err == nil {
			s.err = s.lacks
		}
	}
	if d.commentary != nil {
		_ = d.commentary.End(ending)
	}
	d.notice(maskedNote(d.masks))
	return d.errs()
}

// summary is that of the results, with the count of what no manifest names.
func (d *display) summary(doc report.Report) report.Summary {
	s := d.tally.Summary
	s.Unmatched = doc.Summary.Unmatched
	return s
}

// close leaves no unfinished file behind.
func (d *display) close() {
	for _, s := range d.sheets {
		s.place.discard()
	}
}

// end ends the stream. What it lacks is reported once it is in its place.
func (s *shown) end(ending stream.Ending) error {
	err := s.stream.End(ending)
	if lack := (*objects.LackError)(nil); errors.As(err, &lack) {
		s.lacks, err = fmt.Errorf("render %s: %w", s.format.Name, lack), nil
	}
	return err
}

// failure is the error of all outputs once none is left.
func (d *display) failure() error {
	for _, s := range d.sheets {
		if s.err == nil {
			return nil
		}
	}
	return d.errs()
}

func (d *display) errs() error {
	sheets := make([]*sheet, len(d.sheets))
	for i, s := range d.sheets {
		sheets[i] = s.sheet
	}
	return sheetErrors(sheets)
}
