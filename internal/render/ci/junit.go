package ci

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	said "github.com/ssactl/ssactl/internal/text"
)

// Suites is a document of JUnit.
type Suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Suites   []*junitSuite
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	File     string      `xml:"file,attr,omitempty"`
	Cases    []junitCase `xml:"testcase"`
	Output   *junitText  `xml:"system-out"`
}

type junitCase struct {
	Name      string       `xml:"name,attr"`
	ClassName string       `xml:"classname,attr"`
	Time      string       `xml:"time,attr"`
	Error     *junitResult `xml:"error"`
	Failure   *junitResult `xml:"failure"`
	Output    *junitText   `xml:"system-out"`
}

type junitResult struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",cdata"`
}

type junitText struct {
	Text string `xml:",cdata"`
}

// noTime is how long a case took: nothing is measured, so that equal inputs
// give equal documents.
const noTime = "0"

// JUnit writes a test suite for each file, with a case for each section about an
// object, for each finding of other sections, and for each input that gave no
// object. What is refused, or makes the run fail, is a failure; where there is no
// answer, it is an error. A run without any of these is one case that passes.
//
// Only attributes of the schema that Jenkins checks against are used
// (junit-10.xsd of its xUnit plug-in), in which a suite has a file and a case
// has none.
type JUnit struct {
	w      io.Writer
	head   model.Head
	doc    Suites
	byFile map[string]*junitSuite
}

// NewJUnit gives a writer of the junit format.
func NewJUnit(w io.Writer) *JUnit { return &JUnit{w: w, byFile: map[string]*junitSuite{}} }

// Begin takes what is known before the first section.
func (j *JUnit) Begin(h model.Head) error {
	j.head = h
	j.doc.Name = glyph.Visible(h.Title + " (" + h.Server + ")")
	for _, p := range h.Problems {
		j.add(placed{p.File, junitCase{
			Name: "read " + glyph.Visible(words.FileOrStdin(p.File)), ClassName: "ssactl.input", Time: noTime,
			Error: &junitResult{
				Type:    "Unreadable",
				Message: glyph.Visible(said.FirstLine(p.Message)),
				Text: place(p.File, p.Line) + "\n" +
					glyph.Lines(p.Message),
			},
		}})
	}
	return nil
}

// placed is a case of a file.
type placed struct {
	file string
	test junitCase
}

// Part makes the cases of a section; several may be made at once.
func (j *JUnit) Part(s model.Section) (any, error) {
	if s.Subject != nil {
		return []placed{{s.Subject.File, subjectCase(s)}}, nil
	}
	var out []placed
	for _, f := range s.Findings {
		out = append(out, placed{f.File, j.findingCase(f)})
	}
	return out, nil
}

// Add takes the cases of the next section.
func (j *JUnit) Add(part any) error {
	for _, p := range part.([]placed) {
		j.add(p)
	}
	return nil
}

// End writes the document.
func (j *JUnit) End(tail model.Tail) error {
	switch {
	case tail.Interrupted != "":
		j.add(placed{"", junitCase{Name: "all objects", ClassName: "ssactl.run", Time: noTime,
			Error: &junitResult{Type: "Interrupted", Message: tail.Interrupted, Text: tail.Interrupted}}})
	case j.doc.Tests == 0 && tail.Compared != "":
		j.add(placed{"", junitCase{Name: glyph.Visible(tail.Compared), ClassName: "ssactl.run", Time: noTime}})
	case j.doc.Tests == 0 && len(j.head.Lead) > 0:
		j.add(placed{"", junitCase{Name: glyph.Visible(j.head.Lead[0].String()), ClassName: "ssactl.run", Time: noTime}})
	}
	for _, s := range slices.Concat(j.head.Settings, tail.Settings) {
		j.doc.Name += glyph.Visible(": " + s.Text)
	}
	if reason := cmp.Or(tail.Unanswered, tail.Exit); reason != "" {
		j.doc.Name += glyph.Visible(": " + reason)
	}
	said := ""
	for _, of := range []string{tail.Compared, tail.Assumed} {
		if of != "" {
			said += glyph.Lines(of) + "\n"
		}
	}
	if n := len(j.doc.Suites); said != "" && n > 0 {
		j.doc.Suites[n-1].Output = &junitText{said}
	}
	b, err := xml.MarshalIndent(j.doc, "", "  ")
	if err != nil {
		return fmt.Errorf("encode as XML: %w", err)
	}
	_, err = io.WriteString(j.w, xml.Header+string(b)+"\n")
	return err
}

// subjectCase is the case of an object, told as the text format does.
func subjectCase(s model.Section) junitCase {
	c := junitCase{Name: glyph.Visible(s.Subject.Name), ClassName: glyph.Visible(s.Subject.Class), Time: noTime}
	body := text.Section(s)
	if s.Subject.State == model.Accepted {
		c.Output = &junitText{body}
		return c
	}
	at := place(s.Subject.File, s.Subject.Line) + "\n"
	result := &junitResult{Type: glyph.Visible(s.Subject.Reason), Message: glyph.Visible(s.Subject.Gist), Text: at + body}
	if s.Subject.State == model.Failed {
		c.Error = result
	} else {
		c.Failure = result
	}
	return c
}

// findingCase is the case of a finding; one that does not make the run fail
// passes with a text.
func (j *JUnit) findingCase(f model.Finding) junitCase {
	c := junitCase{Name: glyph.Visible(f.Title), ClassName: glyph.Visible(f.Class), Time: noTime}
	body := strings.Join([]string{place(f.File, f.Line), glyph.Lines(f.Message), ""}, "\n")
	if f.Detail != "" {
		body += glyph.Lines(f.Detail) + "\n"
	}
	if !f.Fails {
		c.Output = &junitText{body}
		return c
	}
	c.Failure = &junitResult{
		Type:    strings.TrimPrefix(f.Rule, "ssactl/"),
		Message: glyph.Visible(said.FirstLine(f.Message)),
		Text:    body,
	}
	return c
}

// add puts a case into the suite of its file; that of no file is named after
// the run.
func (j *JUnit) add(p placed) {
	d := &j.doc
	s := j.byFile[p.file]
	if s == nil {
		s = &junitSuite{Name: glyph.Visible(words.FileOrStdin(p.file)), Time: noTime}
		if p.file != "-" {
			s.File = glyph.Visible(p.file)
		}
		if p.file == "" {
			s.Name = "run"
		}
		j.byFile[p.file] = s
		d.Suites = append(d.Suites, s)
	}
	s.Cases = append(s.Cases, p.test)
	d.Tests++
	s.Tests++
	if p.test.Error != nil {
		d.Errors++
		s.Errors++
	}
	if p.test.Failure != nil {
		d.Failures++
		s.Failures++
	}
}

// place is file:line, as far as it is known.
func place(file string, line int) string { return words.Place(&report.Source{File: file, Line: line}) }
