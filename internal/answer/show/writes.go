package show

import (
	"io"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/writes"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/report"
)

// streamed shows simulated writes, one after the other, in a format of the model.
type streamed struct {
	documents
	o   page.Options
	run *writes.Run
}

// writesIn is a format of the model for writes. What the view is to say more of
// depends on the room that the format has.
func writesIn(name string, room func(*page.Options, Options)) func(io.Writer, Options) stream.Stream {
	return func(w io.Writer, o Options) stream.Stream {
		v := o.View()
		room(&v, o)
		return &streamed{documents: modelFormats[name](w, o), o: v, run: writes.NewRun(v)}
	}
}

// The rooms of the formats.
var (
	onScreen = func(v *page.Options, o Options) {
		v.Brief, v.Differences = !o.Verbose, o.Verbose
		v.Unfolds = o.Verbose && !o.Whole
	}
	onPage    = func(v *page.Options, _ Options) { v.Differences, v.Listing, v.Headline = true, true, true }
	inComment = func(v *page.Options, _ Options) { v.Differences, v.Headline = true, true }
	annotates = func(v *page.Options, _ Options) { v.Findings, v.Grouped = true, true }
	atLines   = func(v *page.Options, _ Options) { v.Findings = true }
	inBrief   = func(v *page.Options, _ Options) { v.Digest, v.Headline = true, true }
	inTests   = func(*page.Options, Options) {}
)

// ShowsSettings implements stream.Ruled.
func (s *streamed) ShowsSettings() bool { return true }

// Begin implements stream.Stream.
func (s *streamed) Begin(start stream.Start) error {
	s.o.Several, s.o.FailOn, s.o.Sent = start.Total > 1, start.FailOn, start.Command == "serve"
	if s.o.Several && s.o.Unfolds {
		s.o.Brief, s.o.Differences = true, false
		s.run = writes.NewRun(s.o)
	}
	if _, onScreen := s.documents.(*text.Writer); onScreen {
		// Standard error has them.
		start.Problems = nil
	}
	return s.documents.Begin(s.run.Head(start))
}

// written is a write as a format shows it, and what the run keeps of it.
type written struct {
	part  any
	facts writes.Facts
}

// Part implements stream.Stream.
func (s *streamed) Part(r report.Result) (stream.Part, error) {
	section, err := writes.Write(s.o, r)
	if err != nil {
		return nil, err
	}
	part, err := s.documents.Part(section)
	facts := writes.FactsOf(r)
	if s.o.Digest {
		facts = facts.Taking(r)
	}
	return written{part, facts}, err
}

// Add implements stream.Stream.
func (s *streamed) Add(made stream.Part) error {
	w := made.(written)
	s.run.Add(w.facts)
	return s.documents.Add(w.part)
}

// End implements stream.Stream.
func (s *streamed) End(e stream.Ending) error { return s.documents.End(s.run.Tail(e)) }

// Refusals writes beside a format that has accepted objects only what it leaves
// out: what is refused, what makes the answers doubtful, and risks.
func Refusals(w io.Writer, o Options) stream.Stream {
	o.Quiet = false
	return &remarks{Writer: text.New(w, o.Text()), o: o.View()}
}

// Unanswered writes which objects have no answer, and why the exit code is 1 where
// --fail-on says so.
func Unanswered(w io.Writer, o Options) stream.Stream {
	o.Quiet = false
	return &remarks{Writer: text.New(w, o.Text()), o: o.View(), unanswered: true}
}

type remarks struct {
	*text.Writer
	o page.Options
	// unanswered: only objects without an answer are said.
	unanswered bool
	// run is that of several writes, which are said together; nil where each is said in
	// full.
	run *writes.Run
	// held are the refused writes of a run, as long as they are few.
	held     []any
	aRefusal int
}

// Begin implements stream.Stream. Of a few, nothing waits for the end.
func (s *remarks) Begin(start stream.Start) error {
	if start.Total > 1 && !s.o.Verbose {
		s.o.Brief, s.o.Several, s.o.FailOn = true, true, start.FailOn
		s.run = writes.NewRun(s.o)
		s.run.Head(start)
	}
	return s.Writer.Begin(model.Head{Total: 1})
}

// Part implements stream.Stream.
func (s *remarks) Part(r report.Result) (stream.Part, error) {
	section, said := writes.Remark(s.o, r)
	said = said && (!s.unanswered || r.Outcome == report.Failed)
	if s.run != nil {
		said = r.Outcome.Refused() && !s.unanswered
	}
	w := written{facts: writes.FactsOf(r)}
	if !said {
		return w, nil
	}
	part, err := s.Writer.Part(section)
	w.part = part
	return w, err
}

// Add implements stream.Stream.
func (s *remarks) Add(part stream.Part) error {
	w := part.(written)
	if s.run != nil {
		s.run.Add(w.facts)
	}
	switch {
	case w.part == nil:
		return nil
	case s.run == nil:
		return s.Writer.Add(w.part)
	}
	if s.aRefusal++; s.aRefusal <= shownRefused {
		s.held = append(s.held, w.part)
	}
	return nil
}

// shownRefused is how many refused writes are said one by one.
const shownRefused = 5

// End implements stream.Stream.
func (s *remarks) End(e stream.Ending) error {
	exit := page.ExitReason(e.Report.Summary, e.Report.Ending)
	if s.run != nil {
		exit = s.run.Exit(e.Report)
		if s.aRefusal > shownRefused {
			s.held = nil
		}
		lead := s.run.Remarks
		if s.unanswered {
			lead = func(e stream.Ending, _ bool) model.Tail { return s.run.Unanswered(e) }
		}
		if err := s.Writer.Lead(lead(e, s.held == nil)); err != nil {
			return err
		}
		for _, part := range s.held {
			if err := s.Writer.Add(part); err != nil {
				return err
			}
		}
	}
	tail := model.Tail{Exit: exit}
	if !s.unanswered {
		tail.Blocks = writes.Unmatched(e.Report.Unmatched)
	}
	return s.Writer.End(tail)
}

// Problems writes a line for each input that could not be read: commentary,
// whatever the format of the answer.
func Problems(w io.Writer, problems []report.Problem, o Options) error {
	return text.Problems(w, page.Problems(problems), o.Text())
}
