package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/ssactl/ssactl/internal/cli/iostreams"
	"github.com/ssactl/ssactl/internal/cli/progress"
	"github.com/ssactl/ssactl/internal/engine/ignore"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/safetext"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
)

// display shows the answers of a run while it goes on: in each format that is
// asked for, filtered, and with the values of Secrets masked unless they are
// asked for.
type display struct {
	outputs []*shown
	// commentary is what standard error tells beside the outputs; nil for
	// nothing.
	commentary render.Stream
	options    render.Options
	filter     ignore.Filter
	// missed are the typed --ignore-field that no object had so far.
	missed  []string
	secrets *redact.Masker
	tally   report.Tally
	// failOn are the risks that are not to be; met reports whether there was one.
	failOn failOn
	met    bool
	costs  *costs
	// seen, when not nil, is told each result as it is shown. It may be called
	// for several at once.
	seen func(report.Result) error
	bar  *progress.Bar
	// taken, when not nil, is told each pair with its result, unfiltered and
	// with the values of Secrets, in order.
	taken func(pair, report.Result)
}

// shown is an output that is being written. After an error it gets nothing
// more; the others do.
type shown struct {
	output
	stream render.Stream
	// text is what the stream writes to, on its way to the place.
	text  *safetext.Writer
	place place
	err   error
	// lacks is what an output that is whole otherwise cannot give.
	lacks error
}

// answer is what one pair came to, and what each output shows of it.
type answer struct {
	given, shown report.Result
	cost         render.Timing
	parts        *parts // nil where masking comes first
}

// parts are those of the outputs, in their order, then that of the commentary.
type parts struct {
	outputs    []render.Part
	errs       []error
	commentary render.Part
	seen       error
}

// newDisplay opens the outputs. The caller has to close it.
func (a *app) newDisplay(f *outputFlags, outputs []output, now time.Time, liveFiles []string) (*display, error) {
	filter, err := ignore.Parse(f.ignoreFields)
	if err != nil {
		return nil, err
	}
	options, err := a.renderOptions(f, now, liveFiles)
	if err != nil {
		return nil, err
	}
	failing, err := parseRisks(f.failOn)
	if err != nil {
		return nil, err
	}
	d := &display{filter: filter, options: options, bar: a.bar, secrets: a.secrets, failOn: failing}
	if !a.configured["ignore-field"] {
		d.missed = f.ignoreFields
	}
	if f.verbose {
		d.costs = &costs{}
	}
	for _, o := range outputs {
		d.open(a, o, options)
	}
	d.openStepSummary(a, options)
	if !tellsRefusals(outputs) {
		// The answer on standard output is objects; why some are missing is
		// commentary.
		d.commentary = render.Refusals(a.commentary(options), options)
	}
	return d, nil
}

func (d *display) open(a *app, o output, options render.Options) {
	s := &shown{output: o, place: standardOutput{}, text: a.streams.Out.As(render.ReadingOf(o.format.Name, options))}
	if o.file != "" {
		options.Color, options.Width = false, 0
		if s.place, s.err = createFile(o.file); s.err != nil {
			s.err = fmt.Errorf("write %s: %w", o.format.Name, s.err)
			s.place = nowhere{}
		}
		s.text = safetext.NewWriter(s.place, render.ReadingOf(o.format.Name, options))
	}
	s.stream = o.format.New(s.text, options)
	d.outputs = append(d.outputs, s)
}

// stepSummaryBytes is the most that a step of a GitHub workflow may write into
// its summary.
const stepSummaryBytes = 1 << 20

// openStepSummary adds the Markdown to the summary of a GitHub workflow's step,
// where there is one and the github format is asked for.
func (d *display) openStepSummary(a *app, options render.Options) {
	file := a.streams.Getenv("GITHUB_STEP_SUMMARY")
	for _, s := range d.outputs {
		if file != "" && s.format.Name == "github" {
			options.MaxBytes = stepSummaryBytes
			options.Color, options.Width = false, 0
			to := &appendedFile{name: file}
			named := output{format: render.Format{Name: "the step summary"}, file: file}
			text := safetext.NewWriter(to, safetext.Plain)
			d.outputs = append(d.outputs, &shown{output: named, stream: render.Markdown(text, options), text: text, place: to})
			return
		}
	}
}

// begin starts all outputs.
func (d *display) begin(start render.Start) error {
	start.Problems = redact.Document(d.secrets, start.Problems)
	for _, s := range d.outputs {
		s.do(func() error { return s.stream.Begin(start) })
	}
	if d.commentary != nil {
		_ = d.commentary.Begin(start)
	}
	return d.failure()
}

// answer prepares what is shown of a result. Several may be prepared at once.
func (d *display) answer(given report.Result, cost render.Timing) answer {
	a := answer{given: given, shown: d.filter.Result(given), cost: cost}
	if !d.secrets.Concerns(&a.shown) {
		a.parts = d.parts(a.shown)
	}
	return a
}

func (d *display) parts(r report.Result) *parts {
	p := &parts{outputs: make([]render.Part, len(d.outputs)), errs: make([]error, len(d.outputs))}
	for i, s := range d.outputs {
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
func (d *display) show(p pair, a answer) error {
	if a.parts == nil {
		a.shown = redact.Document(d.secrets, a.shown)
		a.parts = d.parts(a.shown)
	}
	if a.parts.seen != nil {
		return a.parts.seen
	}
	d.tally.Add(a.shown)
	d.missed = d.filter.Missed(d.missed, a.given)
	d.met = d.met || d.failOn.meets(a.given.Risks)
	if d.costs != nil {
		d.costs.add(a.cost)
	}
	if d.taken != nil {
		d.taken(p, a.given)
	}
	for i, s := range d.outputs {
		s.do(func() error {
			if a.parts.errs[i] != nil {
				return fmt.Errorf("render %s: %w", s.format.Name, a.parts.errs[i])
			}
			return s.stream.Add(a.parts.outputs[i])
		})
	}
	if d.commentary != nil {
		_ = d.commentary.Add(a.parts.commentary)
	}
	d.bar.Add(1)
	return d.failure()
}

// end ends all outputs, and puts those files in place that are complete.
func (d *display) end(doc report.Report) error {
	doc.Summary, doc.APIVersion, doc.Kind = d.summary(doc), report.APIVersion, report.Kind
	overview := d.tally.Overview()
	doc.Overview = &overview
	doc = redact.Document(d.secrets, doc)
	ending := render.Ending{Report: doc, Timings: d.costs.timings()}
	for _, s := range d.outputs {
		s.do(func() error { return s.end(ending) })
		s.do(s.text.Flush)
		s.do(s.place.commit)
		if s.err == nil {
			s.err = s.lacks
		}
	}
	if d.commentary != nil {
		_ = d.commentary.End(ending)
	}
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
	for _, s := range d.outputs {
		s.place.discard()
	}
}

// end ends the stream. What it lacks is told once it is in its place.
func (s *shown) end(ending render.Ending) error {
	err := s.stream.End(ending)
	if lack := (*render.LackError)(nil); errors.As(err, &lack) {
		s.lacks, err = fmt.Errorf("render %s: %w", s.format.Name, lack), nil
	}
	return err
}

// do does something with an output that has not failed yet.
func (s *shown) do(f func() error) {
	if s.err != nil {
		return
	}
	if s.err = f(); s.err != nil && s.file != "" {
		s.err = fmt.Errorf("write %s: %w", s.format.Name, s.err)
	}
}

// failure is the error of all outputs once none is left.
func (d *display) failure() error {
	for _, s := range d.outputs {
		if s.err == nil {
			return nil
		}
	}
	return d.errs()
}

// errs are the errors of the outputs. A reader that has gone away is none
// beside others.
func (d *display) errs() error {
	var told []error
	var gone error
	for _, s := range d.outputs {
		switch {
		case s.err == nil:
		case iostreams.IsBrokenPipe(s.err):
			gone = s.err
		default:
			told = append(told, s.err)
		}
	}
	if told == nil {
		return gone
	}
	return errors.Join(told...)
}
