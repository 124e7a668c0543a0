// Package show is the registry of output formats, and what commands call.
//
// What a command answers becomes the presentation model by one view
// (its room in internal/cmd, or writes) to internal/render/model, and formats show the model
// and know no command: internal/render/text, markdown and html, and for systems of
// CI internal/render/ci. So a new command is one view, and a new format one
// package. What a command alone has, such as patches and scripts, are formats of
// its Answer.
//
// The results of simulated writes come one after the other
// (internal/render/stream): a section each, and at the end what they have in
// common (writes.go). Formats that have objects, not the model, are in
// internal/render/objects.
//
// Below these, internal/render/words names objects, managers and values in one
// line, and internal/render/glyph knows which characters are safe and how wide
// they are. Nothing here asks the API server, and nothing is computed twice.
// Secrets are masked before a document comes here (internal/report/redact).
package show

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/render/brief"
	"github.com/ssactl/ssactl/internal/render/ci"
	"github.com/ssactl/ssactl/internal/render/html"
	"github.com/ssactl/ssactl/internal/render/markdown"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// Answer is what a command answers, for all formats: each takes of it what it
// shows.
type Answer struct {
	// Report is everything, as one document.
	Report any
	// View makes the presentation model of it.
	View func(page.Options) model.Document
	// Own are the formats that only this command has, by name.
	Own map[string]func(io.Writer, Options) error
}

// documents is a format of the presentation model. Part may be called at any
// time after Begin, for several sections at once; Add comes in their order.
type documents interface {
	Begin(model.Head) error
	Part(model.Section) (any, error)
	Add(any) error
	End(model.Tail) error
}

// modelFormats are the formats of the presentation model. Every command has
// those for people, and those for systems of CI where it has findings.
var modelFormats = map[string]func(io.Writer, Options) documents{
	"text": func(w io.Writer, o Options) documents { return text.New(w, o.Text()) },
	"markdown": func(w io.Writer, o Options) documents {
		return markdown.New(w, markdown.Options{MaxBytes: o.MaxBytes, Verbose: o.Verbose})
	},
	"html":        func(w io.Writer, _ Options) documents { return html.New(w) },
	"github":      func(w io.Writer, _ Options) documents { return ci.NewGitHub(w) },
	"sarif":       func(w io.Writer, _ Options) documents { return ci.NewSARIF(w) },
	"junit":       func(w io.Writer, _ Options) documents { return ci.NewJUnit(w) },
	"codequality": func(w io.Writer, _ Options) documents { return ci.NewCodeQuality(w) },
	"brief":       func(w io.Writer, _ Options) documents { return brief.New(w) },
}

// FindingFormats are those for systems of CI and for agents, of commands with findings.
func FindingFormats() []string { return []string{"github", "sarif", "junit", "codequality", "brief"} }

// AnswerFormats names the formats of a command that has some of its own, in the
// order of the help text.
func AnswerFormats(own ...string) []string {
	return slices.Concat([]string{"text", "markdown", "html"}, own, []string{"report"})
}

// Complete reports whether a format shows all there is, so that nothing is left
// to say on standard error.
func (a Answer) Complete(format string) bool {
	return modelFormats[format] != nil || documentFormats[format] != nil && a.Own[format] == nil
}

// documentFormats are the whole report, of commands that have no other meaning
// for the name.
var documentFormats = map[string]func(io.Writer, any) error{"report": EncodeTo, "json": EncodeTo, "yaml": yamlTo}

// Write shows the answer in a format.
func (a Answer) Write(w io.Writer, format string, o Options) error {
	if own, ok := a.Own[format]; ok {
		return own(w, o)
	}
	if documents, ok := modelFormats[format]; ok {
		view := o.View()
		view.Digest = format == "brief"
		return Show(documents(w, o), a.view(o, view))
	}
	if document, ok := documentFormats[format]; ok {
		return document(w, a.Report)
	}
	return fmt.Errorf("no such output format: %q", format)
}

// Remarks says on standard error what formats for programs leave out.
func (a Answer) Remarks(w io.Writer, o Options) error {
	return text.Remarks(w, a.view(o, o.View()), o.Text())
}

// view is the presentation model, with the settings that rule the answer.
func (a Answer) view(o Options, view page.Options) model.Document {
	d := a.View(view)
	d.Head.Settings = page.Settings(o.Settings)
	return d
}

// Show sends a document through a format.
func Show(d documents, document model.Document) error {
	if err := d.Begin(document.Head); err != nil {
		return err
	}
	for _, s := range document.Sections {
		part, err := d.Part(s)
		if err == nil {
			err = d.Add(part)
		}
		if err != nil {
			return err
		}
	}
	return d.End(document.Tail)
}

// EncodeTo writes a document as indented JSON.
func EncodeTo(w io.Writer, document any) error {
	s, err := objects.JSON(document, "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s+"\n")
	return err
}

// yamlTo writes a document as YAML, with the keys of its JSON.
func yamlTo(w io.Writer, document any) error {
	b, err := json.Marshal(document)
	if err != nil {
		return err
	}
	var tree map[string]any
	if err := kjson.Unmarshal(b, &tree); err != nil {
		return err
	}
	s, err := objects.YAML(tree)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s)
	return err
}

// ScriptEnd is the last line of a script of a run that was interrupted.
func ScriptEnd(i *report.Interruption) string {
	if i == nil {
		return ""
	}
	return "# " + words.Interrupted(i) + "\n"
}

// Text are the options of the text format.
func (o Options) Text() text.Options {
	return text.Options{Width: o.Width, Fit: o.Fit, Color: o.Color, Quiet: o.Quiet, Verbose: o.Verbose, Whole: o.Whole}
}

// View are the options that pages depend on.
func (o Options) View() page.Options {
	return page.Options{
		Now: o.Now, Call: o.Call, Verbose: o.Verbose, Files: o.Files, Objects: o.Objects(),
	}
}

// The bounds of a Markdown comment.
const (
	DefaultMaxBytes = markdown.DefaultMaxBytes
	MinMaxBytes     = markdown.MinMaxBytes
)

// Findings is the answer of a command that finds faults, laid out by a function.
func Findings(d finding.Report, show func(finding.Report, page.Options) model.Document) Answer {
	d = page.WithSettings(d)
	return Answer{Report: d, View: func(o page.Options) model.Document { return show(d, o) }}
}

// NoCommand is the error of a script that would lack an object.
func NoCommand(t report.Target, at report.Source, err error) error {
	return fmt.Errorf("%s of %s: no command line can name it: %w", words.Place(&at), words.Object(t), err)
}
