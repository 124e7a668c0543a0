package render

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

type junitSuites struct {
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

// newJUnit writes a test suite for each manifest file, with a test case for each
// object, and one for each input that had none. What the API server would
// refuse is a failure; where no answer could be given, it is an error.
//
// Only attributes of the schema that Jenkins checks against are used
// (junit-10.xsd of its xUnit plug-in), in which a suite has a file and a case
// has none.
func newJUnit(w io.Writer, o Options) Stream {
	return &junitStream{sink: sink{w}, o: o, byFile: map[string]*junitSuite{}}
}

type junitStream struct {
	sink
	o      Options
	doc    junitSuites
	byFile map[string]*junitSuite
}

// Begin implements Stream.
func (j *junitStream) Begin(start Start) error {
	j.doc.Name = "Server-Side Apply (" + visible(start.Server.Version) + ")"
	for _, p := range start.Problems {
		j.add(p.Source.File, unreadableCase(p))
	}
	return nil
}

// Part implements Stream.
func (j *junitStream) Part(r report.Result) (Part, error) {
	return junitPart{r.Source.File, junitCaseOf(r, j.o)}, nil
}

type junitPart struct {
	file string
	test junitCase
}

// Add implements Stream.
func (j *junitStream) Add(part Part) error {
	p := part.(junitPart)
	j.add(p.file, p.test)
	return nil
}

// End implements Stream.
func (j *junitStream) End(e Ending) error {
	if i := e.Report.Interrupted; i != nil {
		message := interruptedText(*i)
		j.add("", junitCase{Name: "all objects", ClassName: "ssactl.run", Time: noTime,
			Error: &junitResult{Type: "Interrupted", Message: message, Text: message}})
	}
	b, err := xml.MarshalIndent(j.doc, "", "  ")
	if err != nil {
		return fmt.Errorf("encode as XML: %w", err)
	}
	return j.write(xml.Header + string(b) + "\n")
}

func unreadableCase(p report.Problem) junitCase {
	return junitCase{
		Name: "read " + visible(fileOrStdin(p.Source.File)), ClassName: "ssactl.input", Time: noTime,
		Error: &junitResult{Type: "Unreadable", Message: firstLine(p.Message), Text: place(&p.Source) + "\n" + visibleLines(p.Message)},
	}
}

// add puts a case into the suite of its file; that of no file is named after
// the run.
func (j *junitStream) add(file string, c junitCase) {
	d := &j.doc
	s := j.byFile[file]
	if s == nil {
		s = &junitSuite{Name: visible(fileOrStdin(file)), Time: noTime, File: junitFile(file)}
		if file == "" {
			s.Name = "run"
		}
		j.byFile[file] = s
		d.Suites = append(d.Suites, s)
	}
	s.Cases = append(s.Cases, c)
	d.Tests++
	s.Tests++
	if c.Error != nil {
		d.Errors++
		s.Errors++
	}
	if c.Failure != nil {
		d.Failures++
		s.Failures++
	}
}

func junitCaseOf(r report.Result, o Options) junitCase {
	p := newPrinter(Options{Now: o.Now, LiveFile: o.LiveFile})
	c := junitCase{
		Name:      objectName(r.Target) + where(r.Target),
		ClassName: className(r.Target),
		Time:      noTime,
	}
	result := &junitResult{Type: string(r.Outcome), Message: strings.TrimPrefix(p.verdict(r), objectName(r.Target)+" ")}
	switch {
	case r.Outcome == report.Failed:
		c.Error = result
	case r.Outcome.Refused():
		c.Failure = result
	default:
		c.Output = &junitText{acceptedText(p, r)}
		return c
	}
	p.caveats(r, "")
	if r.Outcome == report.Failed {
		p.line(visibleLines(r.Error))
	} else {
		p.detail(r, true)
		p.confidence(r)
	}
	result.Text = place(&r.Source) + "\n" + p.out.String()
	return c
}

// className groups the cases by namespace and kind, as reports show classes.
func className(t report.Target) string {
	namespace := t.Namespace
	if namespace == "" {
		namespace = "cluster"
	}
	return visible(namespace + "." + t.Kind)
}

// acceptedText is what an accepted write does, and what the server says to it.
func acceptedText(p *printer, r report.Result) string {
	p.caveats(r, "")
	p.line(p.verdict(r))
	p.warnings(r)
	p.changeLines(r.Changes)
	p.confidence(r)
	return p.out.String()
}

func junitFile(file string) string {
	if file == "-" {
		return ""
	}
	return visible(file)
}

func firstLine(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return visible(first)
}
