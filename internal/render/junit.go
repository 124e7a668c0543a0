package render

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/engine"
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

// JUnit writes a test suite for each manifest file, with a test case for each
// object, and one for each input that had none. What the API server would
// refuse is a failure; where no answer could be given, it is an error.
//
// Only attributes of the schema that Jenkins checks against are used
// (junit-10.xsd of its xUnit plug-in), in which a suite has a file and a case
// has none.
func JUnit(w io.Writer, report engine.Report, o Options) error {
	doc := junitSuites{Name: "Server-Side Apply (" + visible(report.Server.Version) + ")"}
	byFile := map[string]*junitSuite{}
	for _, p := range report.Problems {
		doc.add(byFile, p.Source.File, junitCase{
			Name: "read " + visible(fileOrStdin(p.Source.File)), ClassName: "ssactl.input", Time: noTime,
			Error: &junitResult{Type: "Unreadable", Message: firstLine(p.Message), Text: place(&p.Source) + "\n" + visibleLines(p.Message)},
		})
	}
	for _, r := range report.Results {
		doc.add(byFile, r.Source.File, junitCaseOf(r, o))
	}
	b, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return fmt.Errorf("encode as XML: %w", err)
	}
	_, err = io.WriteString(w, xml.Header+string(b)+"\n")
	return err
}

// add puts a case into the suite of its file.
func (d *junitSuites) add(byFile map[string]*junitSuite, file string, c junitCase) {
	s := byFile[file]
	if s == nil {
		s = &junitSuite{Name: visible(fileOrStdin(file)), Time: noTime, File: junitFile(file)}
		byFile[file] = s
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

func junitCaseOf(r engine.Result, o Options) junitCase {
	p := newPrinter(Options{Now: o.Now, LiveFile: o.LiveFile})
	c := junitCase{
		Name:      objectName(r.Target) + where(r.Target),
		ClassName: className(r.Target),
		Time:      noTime,
	}
	result := &junitResult{Type: string(r.Outcome), Message: strings.TrimPrefix(p.verdict(r), objectName(r.Target)+" ")}
	switch {
	case r.Outcome == engine.Failed:
		c.Error = result
	case r.Outcome.Refused():
		c.Failure = result
	default:
		c.Output = &junitText{acceptedText(p, r)}
		return c
	}
	if r.Outcome == engine.Failed {
		p.line(visibleLines(r.Error))
	} else {
		p.detail(r, true)
	}
	result.Text = place(&r.Source) + "\n" + p.out.String()
	return c
}

// className groups the cases by namespace and kind, as reports show classes.
func className(t engine.Target) string {
	namespace := t.Namespace
	if namespace == "" {
		namespace = "cluster"
	}
	return visible(namespace + "." + t.Kind)
}

// acceptedText is what an accepted write does, and what the server says to it.
func acceptedText(p *printer, r engine.Result) string {
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
