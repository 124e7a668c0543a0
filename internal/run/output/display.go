package output

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/answer/compare"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/ignore"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
)

// Display shows the answers of a run while it goes on: in each format that is
// asked for, filtered, and with the values of Secrets masked unless they are
// asked for.
type Display struct {
	sheets []*shown
	// commentary is what standard error tells beside the outputs; nil for
	// nothing.
	commentary stream.Stream
	Options    show.Options
	filter     ignore.Filter
	// Missed are the typed --ignore-field that no object had so far.
	Missed  []string
	secrets *redact.Masker
	// masks are those in the objects that are printed; nil where none are.
	masks map[string]bool
	// notice tells remarks on standard error.
	notice func(texts []string)
	Tally  report.Tally
	// risks are those that are not to be, and how many there were.
	risks report.FailOn
	// app has the settings that rule the answers; left counts the differences that they
	// leave out, of how many objects.
	app           *app.App
	left, leaving int
	// Comparison is what the results are compared by; nil where they are not.
	Comparison *report.Comparison
	// Verdict, when not nil, is what the command makes of the verdict on its writes.
	Verdict func(error) error
	// Seen, when not nil, is given each result as it is shown. It may be called
	// for several at once.
	Seen func(report.Result) error
}

// shown is an output that shows results while they come.
type shown struct {
	*sheet
	stream stream.Stream
	// lacks is what an output that is whole otherwise cannot give.
	lacks error
}

// Answer is what one pair came to, and what each output shows of it.
type Answer struct {
	Given, shown report.Result
	parts        *parts // nil where masking comes first
}

// parts are those of the outputs, in their order, then that of the commentary.
type parts struct {
	outputs    []stream.Part
	errs       []error
	commentary stream.Part
	seen       error
}

// NewDisplay opens the outputs. The caller has to close it.
func NewDisplay(a *app.App, f *WriteFlags, options show.Options) *Display {
	d := &Display{filter: f.filter, Options: options, secrets: a.Secrets, notice: a.Notice, risks: f.risks, app: a}
	if f.Asks(objectFormats...) {
		d.masks = map[string]bool{}
	}
	if !a.Configured["ignore-field"] {
		d.Missed = f.ignoreFields
	}
	for _, o := range withStepSummary(a, f.Outputs) {
		s := openSheet(a, o, options)
		d.sheets = append(d.sheets, &shown{sheet: s, stream: o.Format.New(s.text, s.options)})
	}
	if o, shown := onStandardOutput(f.Outputs); shown && !o.Format.Refusals {
		// The answer on standard output is objects; why some are missing is
		// commentary.
		d.commentary = show.Refusals(a.Commentary(options), options)
	}
	return d
}

// Begin starts all outputs.
func (d *Display) Begin(start stream.Start) error {
	start.FailOn = d.risks
	start.Ruled = len(d.app.Settings) > 0 || d.app.Ignoring != nil
	start.Problems = redact.Document(d.secrets, start.Problems)
	for _, s := range d.sheets {
		s.do(func() error { return s.stream.Begin(start) })
	}
	if d.commentary != nil {
		_ = d.commentary.Begin(start)
	}
	return d.failure()
}

// Answer prepares what is shown of a result. Several may be prepared at once.
func (d *Display) Answer(given report.Result) Answer {
	a := Answer{Given: given, shown: d.filter.Result(given)}
	if !d.secrets.Concerns(&a.shown) {
		a.parts = d.parts(a.shown)
	}
	return a
}

// Compared prepares a result that is compared with that of the manifests before a change, and
// how it is shown.
func (d *Display) Compared(given, shown report.Result) Answer {
	return Answer{Given: given, shown: shown}
}

// folded is a result as formats for people show it.
func (d *Display) folded(r report.Result) report.Result {
	if d.Comparison == nil {
		return r
	}
	return compare.Folded(r, *d.Comparison)
}

func (d *Display) parts(whole report.Result) *parts {
	p := &parts{outputs: make([]stream.Part, len(d.sheets)), errs: make([]error, len(d.sheets))}
	r := d.folded(whole)
	for i, s := range d.sheets {
		of := r
		if s.Format.Name == "report" {
			of = whole
		}
		p.outputs[i], p.errs[i] = s.stream.Part(of)
	}
	if d.commentary != nil {
		p.commentary, _ = d.commentary.Part(r)
	}
	if d.Seen != nil {
		p.seen = d.Seen(r)
	}
	return p
}

// Show shows the next answer. Masks are numbered in the order of the answers.
// It fails where no output is left to write to.
func (d *Display) Show(a Answer) error {
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
	d.Tally.Add(d.folded(a.shown))
	if n := ignore.LeftOut(a.Given, a.shown); n > 0 {
		d.left += n
		d.leaving++
	}
	d.Missed = d.filter.Missed(d.Missed, a.Given)
	for _, r := range d.folded(a.Given).Risks {
		if r.Counts() {
			d.risks.CountFinding(r)
		}
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

// End ends all outputs, and puts those files in place that are complete.
func (d *Display) End(doc report.Report) error {
	unmatched := doc.Summary.Unmatched
	doc.Summary = d.Tally.Summary
	doc.Summary.Unmatched = unmatched
	overview := d.Tally.Overview()
	doc.Overview = &overview
	if d.risks.Met() {
		doc.FailOn = &d.risks
	}
	doc.Settings = slices.Clone(d.app.Settings)
	if d.app.Ignoring != nil && d.left > 0 {
		doc.Settings = append(doc.Settings, d.app.LeavesOut(d.left, d.leaving))
	}
	doc = redact.Document(d.secrets, doc)
	ending := stream.Ending{Report: doc, Code: app.ExitCode(d.verdict(doc))}
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
	if !d.showsSettings() {
		for _, s := range doc.Settings {
			d.notice([]string{s.Message})
		}
	}
	d.notice(maskedNote(d.masks))
	return d.errs()
}

// verdict is that on the writes that were shown.
func (d *Display) verdict(doc report.Report) error {
	verdict := app.VerdictOf(doc)
	if verdict == nil {
		verdict = d.RiskVerdict()
	}
	if d.Verdict != nil {
		return d.Verdict(verdict)
	}
	return verdict
}

// showsSettings reports whether standard output begins with the settings that rule the
// answers.
func (d *Display) showsSettings() bool {
	return slices.ContainsFunc(d.sheets, func(s *shown) bool {
		ruled, is := s.stream.(stream.Ruled)
		return s.file == "" && is && ruled.ShowsSettings()
	})
}

// Close leaves no unfinished file behind.
func (d *Display) Close() {
	for _, s := range d.sheets {
		s.place.Discard()
	}
}

// end ends the stream. What it lacks is reported once it is in its place.
func (s *shown) end(ending stream.Ending) error {
	err := s.stream.End(ending)
	if lack := (*objects.LackError)(nil); errors.As(err, &lack) {
		s.lacks, err = fmt.Errorf("render %s: %w", s.Format.Name, lack), nil
	}
	return err
}

// failure is the error of all outputs once none is left.
func (d *Display) failure() error {
	for _, s := range d.sheets {
		if s.err == nil {
			return nil
		}
	}
	return d.errs()
}

func (d *Display) errs() error {
	sheets := make([]*sheet, len(d.sheets))
	for i, s := range d.sheets {
		sheets[i] = s.sheet
	}
	return sheetErrors(sheets)
}
