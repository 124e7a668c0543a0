// Package stream is how the results of a run reach a format: one after the other,
// as they come, so that nobody holds all of them.
package stream

import (
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// Stream shows a report part by part, so that nobody has to hold all of it:
// Begin once, Add for each result in the order of the report, End once. An
// error is one of the writer, or of a value that the format cannot carry, and
// ends the stream.
//
// A stream writes a part as soon as the shape of its format allows it, by one
// call of its writer. What it keeps of a result is what it still has to show.
type Stream interface {
	Begin(Start) error
	// Part makes what is shown of a result. After Begin it may be called at
	// any time, for several results at once, and in any order.
	Part(report.Result) (Part, error)
	// Add shows the part of the next result.
	Add(Part) error
	End(Ending) error
}

// Part is what a stream shows of one result. It means something only to the
// stream that made it.
type Part any

// Start is what is known before the first result.
type Start struct {
	Server report.Server
	// Snapshots say when the live objects were fetched, the oldest first.
	Snapshots []report.Snapshot
	// Command is the name of the command that asks; empty for apply.
	Command string
	// NoLive: no live objects are given, so that each is taken as absent.
	NoLive bool
	// Total is the number of results that are to come; fewer do where the run
	// is interrupted.
	Total int
	// Problems are the inputs that gave no object.
	Problems []report.Problem
	// FailOn says which risks make the run fail.
	FailOn report.FailOn
	// Ruled: the ending may have settings, with which formats begin.
	Ruled bool
}

// Ruled is a stream that may begin with the settings that rule the answers, so that they
// need not be said elsewhere.
type Ruled interface{ ShowsSettings() bool }

// Ending is what is known after the last result.
type Ending struct {
	// Report is everything but the results.
	Report report.Report
	// Code is the exit code; 0 also where that is not known.
	Code int
}

// Play sends a report through a stream. An overview that nobody made yet is
// made on the way.
func Play(s Stream, doc report.Report) error {
	start := Start{Server: doc.Server, Total: len(doc.Results), Problems: doc.Problems, Ruled: len(doc.Settings) > 0}
	if doc.FailOn != nil {
		start.FailOn = *doc.FailOn
	}
	if doc.Interrupted != nil {
		start.Total = doc.Interrupted.Total
	}
	if err := s.Begin(start); err != nil {
		return err
	}
	var tally report.Tally
	for _, r := range doc.Results {
		tally.Add(r)
		part, err := s.Part(r)
		if err == nil {
			err = s.Add(part)
		}
		if err != nil {
			return err
		}
	}
	if doc.Overview == nil {
		overview := tally.Overview()
		doc.Overview = &overview
	}
	doc.Results = nil
	return s.End(Ending{Report: doc})
}

// Texts is a format that is the texts of its results, one after the other.
type Texts struct {
	Sink
	Text func(report.Result) (string, error)
	// Between separates texts that are not empty.
	Between string
	// Setting is the line of a setting that rules the answers, with which the format
	// begins; nil where it has no place for one.
	Setting func(report.Setting) string
	told    bool
	// held are the texts that wait for the settings; nil where they do not.
	held *strings.Builder
}

// ShowsSettings implements Ruled.
func (t *Texts) ShowsSettings() bool { return t.Setting != nil }

// Begin implements Stream.
func (t *Texts) Begin(start Start) error {
	if start.Ruled && t.Setting != nil {
		t.held = &strings.Builder{}
	}
	return nil
}

// Part implements Stream.
func (t *Texts) Part(r report.Result) (Part, error) { return t.Text(r) }

// Add implements Stream.
func (t *Texts) Add(part Part) error {
	text := part.(string)
	if text == "" {
		return nil
	}
	if t.told {
		text = t.Between + text
	}
	t.told = true
	if t.held != nil {
		t.held.WriteString(text)
		return nil
	}
	return t.Write(text)
}

// End implements Stream.
func (t *Texts) End(e Ending) error {
	if t.held == nil {
		return nil
	}
	var first strings.Builder
	for _, s := range e.Report.Settings {
		first.WriteString(t.Setting(s))
	}
	return t.Write(first.String() + t.held.String())
}

// Sink is a writer for parts of a format. Each is one write.
type Sink struct{ W io.Writer }

// Write writes a part; nothing of an empty one.
func (s Sink) Write(text string) error {
	if text == "" {
		return nil
	}
	_, err := io.WriteString(s.W, text)
	return err
}
